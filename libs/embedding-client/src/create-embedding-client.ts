import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import {
  classifyFailure,
  createGuardedConnector,
  createTargetGuard,
  type ConnectionFailureClass,
  type GuardedConnectorOptions,
} from '@steward/egress';
import type { EmbeddingCall, EmbeddingClient, EmbeddingOutcome } from './embedding-client.ts';
import { postJson, type JsonAnswer } from './post-json.ts';
import { MAX_VECTOR_WIDTH, readEmbeddings } from './rules/read-embeddings.ts';
import { readRefusal, refusesEncoding } from './rules/read-refusal.ts';

export interface EmbeddingClientOptions extends Pick<GuardedConnectorOptions, 'resolve' | 'certificateAuthority'> {
  /** Origins (scheme://host:port) that may be http and lead anywhere. */
  readonly insecureOrigins: readonly string[];
  /** Networks beside the public ones that may be dialled. */
  readonly allowedPrivateCidrs: readonly string[];
}

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Of an answer: the envelope, and per text the widest vector with numbers written out in full. */
const ENVELOPE_BYTES = 64 * 1024;
const MAX_BYTES_PER_TEXT = MAX_VECTOR_WIDTH * 25;
/** Visible ASCII: anything else cannot stand in a header. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;
const REMEMBERED_ORIGINS = 1000;

/** One keep-alive pool per process for each of two kinds of endpoint: those that are checked when they are dialled, and the operator's own. */
export function createEmbeddingClient(options: EmbeddingClientOptions): EmbeddingClient {
  const insecureOrigins = new Set(options.insecureOrigins.map((origin) => new URL(origin).origin));
  const open = (guard: GuardedConnectorOptions['guard']): Agent =>
    new Agent({
      connect: createGuardedConnector({ ...options, guard, timeoutMs: CONNECT_TIMEOUT_MS }).connect,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The call's own time limit rules; it covers more than these two would.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  const guarded = open(createTargetGuard(options.allowedPrivateCidrs));
  const unguarded = open(undefined);
  // Those that refuse `encoding_format`. Bounded, because accounts choose their endpoints.
  const plainOrigins = new LRUCache<string, true>({ max: REMEMBERED_ORIGINS });

  async function embed(call: EmbeddingCall): Promise<EmbeddingOutcome> {
    const url = URL.parse(`${call.baseUrl}/embeddings`);
    const isInsecure = url !== null && insecureOrigins.has(url.origin);
    const fault = findFault(call, url, isInsecure);
    if (url === null || fault !== undefined) return { kind: 'misconfigured', status: undefined, detail: fault ?? '' };
    const dispatcher = isInsecure ? unguarded : guarded;
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

  return {
    embed,
    async close() {
      await Promise.all([guarded.destroy(), unguarded.destroy()]);
    },
  };
}

/** What is wrong with a call before it is made (EMB-31). The setting was checked when it was saved; what the operator allows may have changed. */
function findFault({ apiKey }: EmbeddingCall, url: URL | null, isInsecure: boolean): string | undefined {
  if (!isInsecure && url?.protocol !== 'https:') return 'the endpoint is not https';
  return apiKey === undefined || SENDABLE_KEY.test(apiKey) ? undefined : 'the key cannot be sent in a header';
}

function writeBody({ model, inputs }: EmbeddingCall, isPlain: boolean): string {
  // Half of a surrogate pair is refused by every provider, each time.
  const input = inputs.map((text) => text.toWellFormed());
  return JSON.stringify(isPlain ? { model, input } : { model, input, encoding_format: 'base64' });
}

/** Failures of which the provider never heard. */
const UNSENT: ReadonlySet<string> = new Set<ConnectionFailureClass>([
  'connect_timeout',
  'dns_error',
  'connection_refused',
  'network_unreachable',
  'tls_error',
]);

function judgeFailure(error: unknown, call: EmbeddingCall, deadline: AbortSignal): EmbeddingOutcome {
  const cut = (detail: string): EmbeddingOutcome => ({ kind: 'unavailable', detail, mayBeBilled: true });
  if (deadline.aborted) return cut(`no answer within ${call.timeoutMs / 1000} s`);
  if (call.signal?.aborted === true) return cut('the call was given up');
  const { errorClass, error: detail } = classifyFailure(error);
  if (errorClass === 'target_blocked') return { kind: 'misconfigured', status: undefined, detail };
  return UNSENT.has(errorClass) ? { kind: 'unavailable', detail } : cut(detail);
}

function judge(answer: JsonAnswer, call: EmbeddingCall): EmbeddingOutcome {
  if (answer.status !== 200) return readRefusal(answer, { apiKey: call.apiKey, now: new Date() });
  const misconfigured = (detail: string): EmbeddingOutcome => ({ kind: 'misconfigured', status: 200, detail });
  if (answer.isCut) return misconfigured('the answer is too large');
  const read = readEmbeddings(answer.body, call.inputs.length);
  return read.kind === 'unusable' ? misconfigured(read.detail) : { ...read, kind: 'embedded' };
}
