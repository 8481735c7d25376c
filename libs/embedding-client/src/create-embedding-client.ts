import { LRUCache } from 'lru-cache';
import {
  classifyFailure,
  createProviderPools,
  postJson,
  type ConnectionFailureClass,
  type JsonAnswer,
  type ProviderPoolsOptions,
} from '@steward/egress';
import type { EmbeddingCall, EmbeddingClient, EmbeddingOutcome } from './embedding-client.ts';
import { MAX_VECTOR_WIDTH, readEmbeddings } from './rules/read-embeddings.ts';
import { readRefusal, refusesEncoding } from './rules/read-refusal.ts';

export type EmbeddingClientOptions = Omit<ProviderPoolsOptions, 'agent'>;

const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Parts of the size limit of a response in bytes: one for the envelope, and one for the vector of each text (the
 * maximum number of dimensions, each with a number in full notation).
 */
const ENVELOPE_BYTES = 64 * 1024;
const MAX_BYTES_PER_TEXT = MAX_VECTOR_WIDTH * 25;
/**
 * Maximum number of JSON values in addition to the vectors. Without it, a response that consists of empty lists would
 * need ten times the memory of vectors with the same number of bytes.
 */
const ENVELOPE_VALUES = 1000;
const MAX_VALUES_PER_TEXT = MAX_VECTOR_WIDTH + 100;
/** Matches visible ASCII: other characters are not allowed in a header. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;
const REMEMBERED_ORIGINS = 1000;

/**
 * Creates the client. It has one keep-alive pool for each of two kinds of endpoints: those whose address is checked
 * when the connection is opened, and those that the operator has allowed without this check.
 */
export function createEmbeddingClient(options: EmbeddingClientOptions): EmbeddingClient {
  const pools = createProviderPools({
    ...options,
    // The two timeouts are disabled, because each call has its own time limit.
    agent: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 0, bodyTimeout: 0 },
  });
  // Origins that do not accept `encoding_format`. The size of the set is limited, because accounts choose their
  // endpoints.
  const plainOrigins = new LRUCache<string, true>({ max: REMEMBERED_ORIGINS });

  async function embed(call: EmbeddingCall): Promise<EmbeddingOutcome> {
    const url = URL.parse(`${call.baseUrl}/embeddings`);
    const dispatcher = url === null ? undefined : pools.choose(url);
    if (url === null || dispatcher === undefined) return misconfigure('the endpoint is not https');
    if (call.apiKey !== undefined && !SENDABLE_KEY.test(call.apiKey)) {
      return misconfigure('the key cannot be sent in a header');
    }
    const deadline = AbortSignal.timeout(call.timeoutMs);
    const signal = call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]);
    const ask = (isPlain: boolean): Promise<JsonAnswer> =>
      postJson({
        dispatcher,
        url: url.href,
        headers: call.apiKey === undefined ? {} : { authorization: `Bearer ${call.apiKey}` },
        body: writeBody(call, isPlain),
        signal,
        maxBytes: ENVELOPE_BYTES + call.inputs.length * MAX_BYTES_PER_TEXT,
        maxValues: ENVELOPE_VALUES + call.inputs.length * MAX_VALUES_PER_TEXT,
      });
    try {
      const isPlain = plainOrigins.has(url.origin);
      const answer = await ask(isPlain);
      if (isPlain || !refusesEncoding(answer)) return judge(answer, call);
      const second = judge(await ask(true), call);
      if (second.kind === 'embedded') plainOrigins.set(url.origin, true);
      return second;
    } catch (error) {
      return judgeFailure(error, call, deadline);
    }
  }

  return { embed, close: pools.close };
}

/**
 * Returns the outcome of an error that is detected before a call is made (EMB-31). The endpoint and the key were
 * already checked when they were saved, but the operator's rules may have changed since.
 */
function misconfigure(detail: string): EmbeddingOutcome {
  return { kind: 'misconfigured', status: undefined, detail };
}

function writeBody({ model, inputs }: EmbeddingCall, isPlain: boolean): string {
  // A lone surrogate is replaced, since every provider rejects it, and another attempt would not help.
  const input = inputs.map((text) => text.toWellFormed());
  return JSON.stringify(isPlain ? { model, input } : { model, input, encoding_format: 'base64' });
}

/** Classes of failures that occur before the request reaches the provider. */
const UNSENT: ReadonlySet<string> = new Set<ConnectionFailureClass>([
  'connect_timeout',
  'dns_error',
  'connection_refused',
  'network_unreachable',
  'tls_error',
]);

function judgeFailure(error: unknown, call: EmbeddingCall, deadline: AbortSignal): EmbeddingOutcome {
  const cut = (detail: string): EmbeddingOutcome => ({ kind: 'unavailable', detail, mayBeBilled: true });
  if (deadline.aborted) return cut(`no response within ${call.timeoutMs / 1000} s`);
  if (call.signal?.aborted === true) return cut('the call was abandoned');
  const { errorClass, error: detail } = classifyFailure(error);
  if (errorClass === 'target_blocked') return { kind: 'misconfigured', status: undefined, detail };
  return UNSENT.has(errorClass) ? { kind: 'unavailable', detail } : cut(detail);
}

function judge(answer: JsonAnswer, call: EmbeddingCall): EmbeddingOutcome {
  if (answer.status !== 200) return readRefusal(answer, { apiKey: call.apiKey, now: new Date() });
  const misconfigured = (detail: string): EmbeddingOutcome => ({ kind: 'misconfigured', status: 200, detail });
  if (answer.fault !== undefined) return misconfigured(answer.fault);
  const read = readEmbeddings(answer.body, call.inputs.length);
  return read.kind === 'unusable' ? misconfigured(read.detail) : { ...read, kind: 'embedded' };
}
