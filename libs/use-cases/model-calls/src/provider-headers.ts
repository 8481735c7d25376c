import type { IncomingHttpHeaders } from 'node:http';
import type { ModelFamily, ServedModel } from '@steward/models';
import type { KeyHider } from './answers/hide-key.ts';

/**
 * Headers of a client that are passed on. Others, such as its credential, cookies and proxy headers, are not (GW-5).
 */
const TO_PROVIDER = ['accept', 'anthropic-beta', 'anthropic-version', 'idempotency-key', 'openai-beta', 'user-agent'];

/** Matches the rate-limit headers of the provider, which clients use to determine how long to wait. */
const LIMITS = /^(?:anthropic|x)-ratelimit-/;
/**
 * Headers of a provider that are passed on. Others, such as cookies and data about the account at the provider, are
 * not.
 */
const TO_CLIENT = [
  'content-encoding',
  'content-length',
  'content-type',
  'openai-processing-ms',
  'openai-version',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
];
interface FamilyHeaders {
  /** Values for clients that do not send these headers. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly credential: (apiKey: string) => Readonly<Record<string, string>>;
}

const FAMILIES: Readonly<Record<ModelFamily, FamilyHeaders>> = {
  openai: { defaults: {}, credential: (apiKey) => ({ authorization: `Bearer ${apiKey}` }) },
  anthropic: {
    defaults: { 'anthropic-version': '2023-06-01' },
    credential: (apiKey) => ({ 'x-api-key': apiKey }),
  },
};

export function listProviderHeaders(
  model: Pick<ServedModel, 'apiKey'>,
  family: ModelFamily,
  client: IncomingHttpHeaders,
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'accept-encoding': 'identity' };
  const { defaults, credential } = FAMILIES[family];
  Object.assign(headers, defaults);
  copy(client, TO_PROVIDER, headers);
  return model.apiKey === undefined ? headers : Object.assign(headers, credential(model.apiKey));
}

export function listClientHeaders(provider: IncomingHttpHeaders, hider: KeyHider | undefined): Record<string, string> {
  const headers: Record<string, string> = { 'X-Accel-Buffering': 'no' };
  copy(provider, TO_CLIENT, headers);
  for (const name in provider) if (name.includes('-ratelimit-') && LIMITS.test(name)) copy(provider, [name], headers);
  const { 'x-request-id': id } = provider;
  if (typeof id === 'string') headers['X-Service-Upstream-Request-Id'] = id;
  if (hider === undefined) return headers;
  for (const name of Object.keys(headers)) headers[name] = hider.hideText(headers[name] as string);
  return headers;
}

function copy(from: IncomingHttpHeaders, names: readonly string[], to: Record<string, string>): void {
  for (const name of names) {
    const value = from[name];
    if (typeof value === 'string') to[name] = value;
  }
}
