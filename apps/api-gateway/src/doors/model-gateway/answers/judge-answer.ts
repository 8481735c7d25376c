import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderAnswer } from '../dial-models.ts';
import { isPlain } from './is-plain.ts';
import { isEventStream } from './pass-answer.ts';
import { readBeginning } from './read-beginning.ts';

/** What is to be done with an answer: `again` asks the same model once more, `elsewhere` only what it falls back on. */
export type Verdict = 'pass' | 'again' | 'elsewhere';

export interface JudgedAnswer {
  readonly verdict: Verdict;
  readonly answer: ProviderAnswer;
}

/** Of providers, and of what stands in front of them (520 to 530: Cloudflare). */
const FAILED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);
/** What the deployment's key or the provider lacks, and another model may have: it is no fault of the caller. */
const LACKING: ReadonlySet<number> = new Set([401, 403, 404]);
/** Errors of messages, chat and responses that say that nobody has begun. */
const PASSING =
  /"(?:type|code)"\s*:\s*"(?:overloaded_error|api_error|server_error|internal_server_error|rate_limit_error|rate_limit_exceeded|service_unavailable)"/;
const FAILURE = /^(?:event:\s*error\s|data:\s*\{\s*"(?:error"\s*:\s*\{|type"\s*:\s*"error"))/;
const SPENT = /"(?:type|code)"\s*:\s*"(?:insufficient_quota|billing_hard_limit_reached|billing_not_active)"/;
const MAX_READ_BYTES = 16 * 1024;

/**
 * Looks at what a provider answered before any of it is passed on (GW-8): its status, and of a stream the first event.
 *
 * @throws when it breaks off
 */
export async function judgeAnswer(answer: ProviderAnswer): Promise<JudgedAnswer> {
  const { statusCode, headers } = answer;
  if (LACKING.has(statusCode)) return { verdict: 'elsewhere', answer };
  if (statusCode === 429) return judgeLimited(answer);
  if (FAILED.has(statusCode) || (statusCode >= 520 && statusCode <= 530))
    return { verdict: headers['x-should-retry'] === 'false' ? 'elsewhere' : 'again', answer };
  return statusCode === 200 && isEventStream(answer) && isPlain(answer)
    ? judgeStream(answer)
    : { verdict: 'pass', answer };
}

/** A quota that is spent is not there again in a second. */
async function judgeLimited(answer: ProviderAnswer): Promise<JudgedAnswer> {
  if (saysSpent(answer.headers)) return { verdict: 'elsewhere', answer };
  if (!isPlain(answer)) return { verdict: 'again', answer };
  const { text, answer: whole } = await readBeginning(answer, MAX_READ_BYTES);
  return { verdict: SPENT.test(text) ? 'elsewhere' : 'again', answer: whole };
}

function saysSpent(headers: IncomingHttpHeaders): boolean {
  return headers['x-should-retry'] === 'false' || headers['anthropic-ratelimit-unified-status'] === 'rejected';
}

/** A stream that begins with a failure has not begun; a comment or anything else that comes first says that it has. */
async function judgeStream(answer: ProviderAnswer): Promise<JudgedAnswer> {
  const isSeen = (text: string): boolean => {
    const begun = text.trimStart();
    return begun !== '' && (!mayFail(begun) || /\n\r?\n/.test(begun));
  };
  const { text, answer: whole } = await readBeginning(answer, MAX_READ_BYTES, isSeen);
  const begun = text.trimStart();
  const [first = ''] = begun.split(/\r?\n\r?\n/);
  return { verdict: FAILURE.test(begun) && PASSING.test(first) ? 'again' : 'pass', answer: whole };
}

/** As far as it came it may be the beginning of a failure. */
function mayFail(begun: string): boolean {
  const start = begun.replace(/\s+/g, '').slice(0, 16);
  return ['event:error', 'data:{"error":{', 'data:{"type":"error"'].some(
    (failure) => failure.startsWith(start) || start.startsWith(failure.slice(0, 16)),
  );
}
