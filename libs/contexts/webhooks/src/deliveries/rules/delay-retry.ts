/**
 * Returns the delay before the next attempt in milliseconds: a receiver may request a longer delay than that of the
 * schedule, but not a shorter one.
 */
export function delayRetry(scheduledMs: number, askedMs: number | undefined): number {
  return Math.max(scheduledMs, askedMs ?? 0);
}
