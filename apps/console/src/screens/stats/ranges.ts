import type { SeriesQuestion } from '../../queries/stats.ts';

export const RANGES = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;

export type RangeName = keyof typeof RANGES;

export type Stretch = Pick<SeriesQuestion, 'from' | 'to' | 'step'>;

const HOUR_MS = 3_600_000;
const HOURS: Readonly<Record<Exclude<RangeName, '30d'>, number>> = { '24h': 24, '7d': 7 * 24 };
const DAYS = 30;

export const readRange = (text: string | undefined): RangeName =>
  text !== undefined && Object.hasOwn(RANGES, text) ? (text as RangeName) : '24h';

/** Returns the range that ends with the current step, and the range of the same length before it. */
export function listStretches(range: RangeName, now: Date): { readonly current: Stretch; readonly before: Stretch } {
  if (range === '30d') {
    // Days begin at midnight in the user's time zone.
    const startOf = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
    return {
      current: toStretch(startOf(DAYS - 1), startOf(-1), 'day'),
      before: toStretch(startOf(2 * DAYS - 1), startOf(DAYS - 1), 'day'),
    };
  }
  const end = Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS;
  const at = (ranges: number) => new Date(end - ranges * HOURS[range] * HOUR_MS);
  return { current: toStretch(at(1), at(0), 'hour'), before: toStretch(at(2), at(1), 'hour') };
}

const toStretch = (from: Date, to: Date, step: Stretch['step']): Stretch => ({
  from: from.toISOString(),
  to: to.toISOString(),
  step,
});

/** Returns the change in percent, such as `+12 %`; undefined if the previous value is zero. */
export function describeChange(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const percent = Math.round((now / before - 1) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)} %`;
}
