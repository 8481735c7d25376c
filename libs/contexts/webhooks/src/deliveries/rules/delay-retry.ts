/**
 * The delay before the next attempt: a receiver may ask for a longer one than the schedule's, never for a shorter one.
 */
export function delayRetry(scheduledMs: number, askedMs: number | undefined): number {
  return Math.max(scheduledMs, askedMs ?? 0);
}
