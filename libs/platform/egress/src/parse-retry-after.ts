/** Upper limit for a delay that an external server may ask for. A date far in the future counts as this limit. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * RFC 9110: seconds, or a date in the one form that a sender may generate. The obsolete date forms count as invalid.
 */
const SECONDS = /^\d+$/;
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds that a `Retry-After` header asks for, at most an hour; undefined if it is missing or invalid. */
export function parseRetryAfterMs(header: string | null | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  const waitMs = SECONDS.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now.getTime()
      : Number.NaN;
  return waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : undefined;
}
