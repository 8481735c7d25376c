/** Maximum delay in milliseconds that an external server may request; a longer delay is reduced to this limit. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/** Matches a delay in seconds. */
const SECONDS = /^\d+$/;
/**
 * Matches a date in the only format that a sender may generate (RFC 9110). The obsolete date formats are treated as
 * invalid.
 */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the number of milliseconds that a `Retry-After` header requests, at most an hour; undefined if the header is
 * missing or invalid, or requests no delay.
 */
export function parseRetryAfterMs(header: string | null | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  const waitMs = SECONDS.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now.getTime()
      : Number.NaN;
  return waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : undefined;
}
