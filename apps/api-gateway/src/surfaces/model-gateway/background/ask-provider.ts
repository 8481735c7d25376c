import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderPools } from '@steward/egress';
import { buildProviderUrl, type ServedModel } from '@steward/models';
import { unpackAnswer } from '../answers/unpack-answer.ts';
import { refuseUnreachable, type ProviderAnswer } from '../call-providers.ts';
import { listProviderHeaders } from '@steward/model-calls';

export interface ResponseRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly responseId: string;
  /** Path after the id of the response. */
  readonly tail: '' | '/cancel' | '/input_items';
  /** The raw query. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly signal: AbortSignal;
}

/** Sends a request about an existing response to a model's provider. @throws provider_unreachable, provider_timeout */
export async function askProvider(
  pools: Pick<ProviderPools, 'choose'>,
  model: ServedModel,
  { method, responseId, tail, search, headers, signal }: ResponseRequest,
): Promise<ProviderAnswer> {
  const url = new URL(`${buildProviderUrl(model, '/responses')}/${encodeURIComponent(responseId)}${tail}${search}`);
  const pool = pools.choose(url);
  if (pool === undefined) throw refuseUnreachable(undefined);
  const { 'content-type': _type, ...sent } = listProviderHeaders(model, 'openai', headers);
  const request = { origin: url.origin, path: url.pathname + url.search, method, headers: sent, signal } as const;
  return unpackAnswer(
    await pool.request(request).catch((error: unknown) => {
      throw signal.aborted ? error : refuseUnreachable(error);
    }),
  );
}
