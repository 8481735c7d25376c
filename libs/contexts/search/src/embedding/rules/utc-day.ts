/**
 * Returns the day whose cap a call counts towards, in the form `2026-11-22`: in UTC, regardless of the time zones of
 * servers and users (EMB-14).
 */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Returns the start of the next day. */
export function nextUtcDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
