export const BUDGET_PERIODS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly', 'all_time'] as const;

export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What has no start is kept under this one. */
const BEGINNING = new Date(0);

/** Start of the period that a moment lies in. All of UTC, weeks from Monday. */
export function startOf(period: BudgetPeriod, at: Date): Date {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const day = Date.UTC(year, month, at.getUTCDate());
  switch (period) {
    case 'hourly':
      return new Date(day + at.getUTCHours() * HOUR_MS);
    case 'daily':
      return new Date(day);
    case 'weekly':
      return new Date(day - ((at.getUTCDay() + 6) % 7) * DAY_MS);
    case 'monthly':
      return new Date(Date.UTC(year, month));
    case 'yearly':
      return new Date(Date.UTC(year, 0));
    case 'all_time':
      return BEGINNING;
  }
}

/** The moment a period that began then is over; undefined: never. */
export function endOf(period: BudgetPeriod, start: Date): Date | undefined {
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()];
  switch (period) {
    case 'hourly':
      return new Date(start.getTime() + HOUR_MS);
    case 'daily':
      return new Date(start.getTime() + DAY_MS);
    case 'weekly':
      return new Date(start.getTime() + 7 * DAY_MS);
    case 'monthly':
      return new Date(Date.UTC(year, month + 1));
    case 'yearly':
      return new Date(Date.UTC(year + 1, 0));
    case 'all_time':
      return undefined;
  }
}

/** As events call it: `daily:2026-11-20`, `hourly:2026-11-20T14`, `all_time`. */
export function namePeriod(period: BudgetPeriod, start: Date): string {
  if (period === 'all_time') return period;
  return `${period}:${start.toISOString().slice(0, period === 'hourly' ? 13 : 10)}`;
}
