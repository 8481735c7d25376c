import { nextUtcDay } from './utc-day.ts';

const FIRST_BACKOFF_MS = 5000;
const LONGEST_BACKOFF_MS = 15 * 60_000;
/** What a person has to change is looked at again now and then all the same: a price or a cap may have come with a restart. */
const PARKED_MS = 15 * 60_000;
const REFUSAL_BACKOFF_MS = 30_000;
/** So many different texts refused one after the other, and nothing embedded between them, are not the fault of each. */
export const REFUSALS_OF_PROVIDER = 3;

/** After so many calls in a row that found no provider. */
export function backOff(failures: number, random: number): number {
  const delay = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(delay * (0.8 + 0.4 * random));
}

/** As long as the provider asked for, however often it does (an hour at most, EMB-35). */
export function delayLimited(retryAfterMs: number | undefined, failures: number, random: number): number {
  return retryAfterMs === undefined ? backOff(failures, random) : retryAfterMs;
}

/** Of an account that embeds no further until somebody changes something. */
export function parkUntil(now: Date): Date {
  return new Date(now.getTime() + PARKED_MS);
}

/** Of an account that spent what its day has. */
export function parkForCap(now: Date): Date {
  return new Date(Math.min(parkUntil(now).getTime(), nextUtcDay(now).getTime()));
}

/** Of a text that was refused alone so many times. */
export function delayRefused(attempts: number): number {
  return REFUSAL_BACKOFF_MS * 2 ** (attempts - 1);
}
