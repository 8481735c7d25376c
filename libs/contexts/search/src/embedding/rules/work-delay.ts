import { nextUtcDay } from './utc-day.ts';

const FIRST_BACKOFF_MS = 5000;
const LONGEST_BACKOFF_MS = 15 * 60_000;
/**
 * Interval in milliseconds at which a problem that a person has to fix is checked again: after a restart, the settings
 * may contain the missing price or another cap.
 */
const PARKED_MS = 15 * 60_000;
const REFUSAL_BACKOFF_MS = 30_000;
/**
 * Number of different texts refused in a row, with nothing embedded in between, after which the provider is assumed to
 * be the cause.
 */
export const REFUSALS_OF_PROVIDER = 3;

/** Returns the delay after a number of consecutive failures. */
export function backOff(failures: number, random: number): number {
  const delay = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(delay * (0.8 + 0.4 * random));
}

/**
 * Returns the delay that the provider requested (`parseRetryAfterMs` limits it to an hour, EMB-35), regardless of the
 * number of failures; if it requested none, the delay that `backOff` returns.
 */
export function delayLimited(retryAfterMs: number | undefined, failures: number, random: number): number {
  return retryAfterMs === undefined ? backOff(failures, random) : retryAfterMs;
}

/**
 * Returns the time of the next check of an account whose embedding has stopped because of a problem that a person has
 * to fix.
 */
export function parkUntil(now: Date): Date {
  return new Date(now.getTime() + PARKED_MS);
}

/** Returns the time of the next check of an account that has used up its cap for the day. */
export function parkForCap(now: Date): Date {
  return new Date(Math.min(parkUntil(now).getTime(), nextUtcDay(now).getTime()));
}

/** Returns the delay for a text that was refused a number of times when sent individually. */
export function delayRefused(attempts: number): number {
  return REFUSAL_BACKOFF_MS * 2 ** (attempts - 1);
}
