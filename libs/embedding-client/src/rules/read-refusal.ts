import { parseRetryAfterMs, readProviderError } from '@steward/egress';
import type { EmbeddingOutcome } from '../embedding-client.ts';

/** A response with a status other than 200. */
export interface Refusal {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Beginning of the body, as far as it was read. */
  readonly body: Buffer;
}

/**
 * Statuses that the inputs can cause; every other 4xx status, unless it is temporary, is caused by the endpoint, the
 * key or the model.
 */
const ABOUT_INPUTS = new Set([400, 413, 422]);
/** Statuses of temporary failures (conflict, too early, timeout), after which the next call may succeed. */
const PASSING = new Set([408, 409, 425]);
/**
 * Returns the outcome of a call whose response has a status other than 200 (EMB-35). The outcome contains nothing from
 * the body of the response except a short error code (EMB-37).
 */
export function readRefusal(
  { status, retryAfter, body }: Refusal,
  { apiKey, now }: { readonly apiKey: string | undefined; readonly now: Date },
): Exclude<EmbeddingOutcome, { kind: 'embedded' }> {
  const retryAfterMs = parseRetryAfterMs(retryAfter, now);
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return { kind: 'rate_limited', retryAfterMs };
  const error = readProviderError(body.toString(), apiKey);
  const detail = `HTTP ${status}${error.code === undefined ? '' : ` (${error.code})`}`;
  if (status >= 500 || PASSING.has(status)) return { kind: 'unavailable', detail };
  if (status >= 300 && status < 400)
    return { kind: 'misconfigured', status, detail: `HTTP ${status}: redirects are not followed` };
  if (ABOUT_INPUTS.has(status) && !isAboutSetting(error)) return { kind: 'refused', status, detail };
  return { kind: 'misconfigured', status, detail };
}

/** Returns true if the refusal concerns the requested encoding, so that the call may be retried without it (EMB-36). */
export function refusesEncoding({ status, body }: Refusal): boolean {
  return ABOUT_INPUTS.has(status) && body.includes('encoding_format');
}

/** Returns true if the model or the key is the cause: some services return 400 for such errors. */
function isAboutSetting({ code, param, message }: ReturnType<typeof readProviderError>): boolean {
  const isModel = param === 'model' || (code !== undefined && /model/i.test(code));
  return isModel || (typeof message === 'string' && /\bapi[ _-]?key\b/i.test(message));
}
