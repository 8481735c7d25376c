import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderAnswer } from '../call-providers.ts';
import { isPlain } from './is-plain.ts';
import { isEventStream } from './is-event-stream.ts';
import { readBeginning } from './read-beginning.ts';

/**
 * Action on a response: `pass` passes the response on, `again` calls the same model again, and `elsewhere` calls only
 * the fallbacks of the model.
 */
export type Verdict = 'pass' | 'again' | 'elsewhere';

export interface JudgedAnswer {
  readonly verdict: Verdict;
  readonly answer: ProviderAnswer;
}

/**
 * Statuses of failures of a provider, or of a proxy in front of it. Groq returns 498 if it has no free capacity.
 * Statuses 520 to 530, which Cloudflare returns, are checked separately.
 */
const FAILED: ReadonlySet<number> = new Set([408, 425, 429, 498, 500, 502, 503, 504, 529]);
/**
 * Statuses for a missing permission, credit or model. The caller is not the cause of such a failure, and another model
 * may succeed.
 */
const LACKING: ReadonlySet<number> = new Set([401, 402, 403, 404, 410]);
/** Temporary errors of the messages, chat and responses APIs, after which the same model is called again. */
const PASSING =
  /"(?:type|code)"\s*:\s*(?:"(?:overloaded_error|api_error|server_error|internal_server_error|rate_limit_error|rate_limit_exceeded|service_unavailable)"|"?(?:408|429|5\d\d)\b)/;
/** Errors that any model would return for this call. */
const OF_CALLER =
  /"(?:type|code|status)"\s*:\s*(?:"(?:invalid_request\w*|invalid_argument|bad_request|context_length_exceeded|string_above_max_length|request_too_large|content_filter|content_policy_violation|unsupported_\w+|invalid_\w*(?:parameter|value|prompt|image)\w*)"|"?(?:400|413|415|422)\b)/i;
/**
 * Token counts. A response that contains token counts was billed, so it does not count as a failure, and is recorded.
 */
const COUNTED = /"usage"\s*:\s*\{/;
const FAILURE = /^(?:event:\s*error\s|(?:data:\s*)?\{\s*"(?:error"\s*:\s*[{"]|type"\s*:\s*"error"))/;
const SPENT = /"(?:type|code)"\s*:\s*"(?:insufficient_quota|billing_hard_limit_reached|billing_not_active)"/;
/** Error message of Anthropic, with status 400, if the credit is used up. */
const NO_CREDIT = /credit balance is too low/i;
const MAX_READ_BYTES = 16 * 1024;
/**
 * Number of characters of a response that are searched for a failure: the beginning of any failure is shorter,
 * including white space.
 */
const MAX_START = 1024;
/** Number of characters that are searched first: enough for any failure that contains little white space. */
const NEAR_START = 64;
/**
 * Beginnings of failures, without white space and without the field name `data:`. The entry `data:` matches a part that
 * ends within this name.
 */
const STARTS = ['event:error', '{"error":{', '{"error":"', '{"type":"error"', 'data:'];
const LONGEST_START = Math.max(...STARTS.map(({ length }) => length));

/**
 * Inspects the response of a provider before any of it is passed on (GW-8): its status, and the headers that rule out a
 * retry; also the error if the status is 400 or 429, and the beginning of the response, which may be an error, if the
 * status is 200.
 *
 * @throws if the response is aborted
 */
export async function judgeAnswer(answer: ProviderAnswer): Promise<JudgedAnswer> {
  const { statusCode, headers } = answer;
  if (LACKING.has(statusCode)) return { verdict: 'elsewhere', answer };
  if (statusCode === 429) return judgeLimited(answer);
  if (FAILED.has(statusCode) || (statusCode >= 520 && statusCode <= 530))
    return { verdict: headers['x-should-retry'] === 'false' ? 'elsewhere' : 'again', answer };
  if (!isPlain(answer)) return { verdict: 'pass', answer };
  if (statusCode === 400) return judgeRefusal(answer);
  return statusCode === 200 && (isEventStream(answer) || isJson(answer))
    ? judgeBeginning(answer)
    : { verdict: 'pass', answer };
}

/**
 * Judges a response with status 429. If a quota is used up, the same model is not called again, because a quota is not
 * restored within a second.
 */
async function judgeLimited(answer: ProviderAnswer): Promise<JudgedAnswer> {
  if (saysSpent(answer.headers)) return { verdict: 'elsewhere', answer };
  if (!isPlain(answer)) return { verdict: 'again', answer };
  const { text, answer: whole } = await readBeginning(answer, MAX_READ_BYTES);
  return { verdict: SPENT.test(text) ? 'elsewhere' : 'again', answer: whole };
}

function saysSpent(headers: IncomingHttpHeaders): boolean {
  return headers['x-should-retry'] === 'false' || headers['anthropic-ratelimit-unified-status'] === 'rejected';
}

async function judgeRefusal(answer: ProviderAnswer): Promise<JudgedAnswer> {
  const { text, answer: whole } = await readBeginning(answer, MAX_READ_BYTES);
  return { verdict: NO_CREDIT.test(text) ? 'elsewhere' : 'pass', answer: whole };
}

function isJson({ headers }: Pick<ProviderAnswer, 'headers'>): boolean {
  const { 'content-type': type } = headers;
  return typeof type === 'string' && /^application\/json\b/i.test(type);
}

/**
 * Judges a response by its beginning. A response that begins with an error counts as not started; a response that
 * begins with a comment or any other text counts as started.
 */
async function judgeBeginning(answer: ProviderAnswer): Promise<JudgedAnswer> {
  if (answer.whole !== undefined) {
    const start = answer.whole.toString('latin1', 0, MAX_START).trimStart();
    if (start !== '' && !mayFail(start)) return { verdict: 'pass', answer };
  }
  const isSeen = (text: string): boolean => {
    const begun = text.trimStart();
    return begun !== '' && (!mayFail(begun) || (isEventStream(answer) && /\n\r?\n/.test(begun)));
  };
  const { text, answer: whole } = await readBeginning(answer, MAX_READ_BYTES, isSeen);
  const begun = text.trimStart();
  if (!FAILURE.test(begun)) return { verdict: 'pass', answer: whole };
  const first = isEventStream(answer) ? (begun.split(/\r?\n\r?\n/)[0] ?? '') : begun;
  return { verdict: judgeFailure(first), answer: whole };
}

/**
 * Judges an error at the beginning of a response. An error that does not state its cause may be the provider's fault,
 * so another model is called, but not the same one again.
 */
function judgeFailure(text: string): Verdict {
  if (OF_CALLER.test(text) || COUNTED.test(text)) return 'pass';
  return PASSING.test(text) ? 'again' : 'elsewhere';
}

/** Returns whether the part received so far may be the beginning of an error. */
function mayFail(begun: string): boolean {
  const near = removeSpace(begun.slice(0, NEAR_START));
  const start = near.length > LONGEST_START ? near : removeSpace(begun.slice(0, MAX_START));
  return STARTS.some((failure) => failure.startsWith(start) || start.startsWith(failure));
}

function removeSpace(text: string): string {
  return text.replace(/\s+/g, '').replace(/^data:/, '');
}
