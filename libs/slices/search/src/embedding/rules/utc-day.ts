/** The day a call is paid on, as `2026-11-22`: by UTC, whatever the zones of servers and people are (EMB-14). */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** When the next such day begins. */
export function nextUtcDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
