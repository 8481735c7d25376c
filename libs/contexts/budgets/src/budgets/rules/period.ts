export const BUDGET_PERIODS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly', 'all_time'] as const;

export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** The parts of a period from which its name in messages is built. */
export interface NamedPeriod {
  readonly period: BudgetPeriod;
  readonly timeZone: string;
  readonly start: Date;
}

/**
 * Returns the name of a period in events and messages, for example `daily:2026-11-20`, `hourly:2026-11-20T14` or
 * `all_time`. For `hourly`, date and hour are in UTC; other dates are in the time zone of the period.
 */
export function namePeriod({ period, timeZone, start }: NamedPeriod): string {
  if (period === 'all_time') return period;
  return `${period}:${period === 'hourly' ? start.toISOString().slice(0, 13) : readDate(start, timeZone)}`;
}

function readDate(at: Date, timeZone: string): string {
  if (timeZone === 'UTC') return at.toISOString().slice(0, 10);
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const named = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  return [named['year'], named['month'], named['day']].join('-');
}

/** Matches IANA names and their aliases, but no offsets, because offsets have no daylight saving time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** Returns whether this is the name of a time zone. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
