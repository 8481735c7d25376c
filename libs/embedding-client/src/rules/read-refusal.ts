import { parseRetryAfterMs } from '@steward/egress';
import type { EmbeddingOutcome } from '../embedding-client.ts';

/** An answer that is not 200. */
export interface Refusal {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** As much of it as was read. */
  readonly body: Buffer;
}

/** What is about the inputs; every other 4xx is about the endpoint, the key or the model. */
const ABOUT_INPUTS = new Set([400, 413, 422]);
/** Conflict, too early, out of time: the next call may be fine. */
const PASSING = new Set([408, 409, 425]);
/** A code as providers write them. Anything longer or with digits could be a key or a text given back. */
const CODE = /^[a-z]+(?:[_-][a-z]+){0,8}$/i;
const MAX_CODE_LENGTH = 64;

/** What an answer other than 200 means to the caller (EMB-35). Of the provider's words only a short error code is kept (EMB-37). */
export function readRefusal(
  { status, retryAfter, body }: Refusal,
  { apiKey, now }: { readonly apiKey: string | undefined; readonly now: Date },
): Exclude<EmbeddingOutcome, { kind: 'embedded' }> {
  const retryAfterMs = parseRetryAfterMs(retryAfter, now);
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return { kind: 'rate_limited', retryAfterMs };
  const error = readError(body.toString(), apiKey);
  const detail = `HTTP ${status}${error.code === undefined ? '' : ` (${error.code})`}`;
  if (status >= 500 || PASSING.has(status)) return { kind: 'unavailable', detail };
  if (status >= 300 && status < 400)
    return { kind: 'misconfigured', status, detail: `HTTP ${status}: redirects are not followed` };
  if (ABOUT_INPUTS.has(status) && !error.isAboutSetting) return { kind: 'refused', status, detail };
  return { kind: 'misconfigured', status, detail };
}

/** Whether a refusal is of the form the vectors were asked in, so that the call may be tried without it (EMB-36). */
export function refusesEncoding({ status, body }: Refusal): boolean {
  return ABOUT_INPUTS.has(status) && body.includes('encoding_format');
}

interface ProviderError {
  readonly code: string | undefined;
  /** The model or the key: some services answer 400 for them. */
  readonly isAboutSetting: boolean;
}

function readError(body: string, apiKey = ''): ProviderError {
  const answer = parse(body);
  const error = asRecord(answer['error'] ?? answer);
  const isOfKey = (text: string): boolean => apiKey !== '' && (apiKey.includes(text) || text.includes(apiKey));
  const code = [error['code'], error['type']].find(
    (value): value is string =>
      typeof value === 'string' && value.length <= MAX_CODE_LENGTH && CODE.test(value) && !isOfKey(value),
  );
  const isModel = error['param'] === 'model' || (code !== undefined && /model/i.test(code));
  const isKey = typeof error['message'] === 'string' && /\bapi[ _-]?key\b/i.test(error['message']);
  return { code, isAboutSetting: isModel || isKey };
}

function parse(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return asRecord(Array.isArray(value) ? value[0] : value);
  } catch {
    return {};
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
