import fc from 'fast-check';
import { sql } from 'kysely';
import { openBudgets, type OpenBudgets } from '../../testing/open-budgets.ts';
import { BUDGET_PERIODS, type BudgetPeriod } from '../rules/period.ts';
import { knowsTimeZone, readPeriod } from './period.store.ts';

let budgets: OpenBudgets;
beforeAll(async () => {
  budgets = await openBudgets();
});
afterAll(() => budgets.close());

interface ReadRow {
  readonly zone: string;
  readonly period: BudgetPeriod;
  readonly at: Date;
  readonly start: Date;
  readonly end: Date | null;
}

const read = async (zones: readonly string[], dates: readonly Date[]): Promise<readonly ReadRow[]> => {
  const { rows } = await sql<ReadRow>`
    select zone, period, at, budgets.start_of(period, at, zone) as start, budgets.end_of(period, at, zone) as end
    from unnest(${[...zones]}::text[]) as zone, unnest(${[...BUDGET_PERIODS]}::text[]) as period,
      unnest(${[...dates]}::timestamptz[]) as at
  `.execute(budgets.db);
  return rows;
};

/** Functions that name the day, week, month or year of a local date. */
const UNITS: Readonly<Record<BudgetPeriod, (local: { year: number; month: number; day: number }) => string>> = {
  hourly: () => '',
  daily: ({ year, month, day }) => `${year}-${month}-${day}`,
  weekly: ({ year, month, day }) => String(Math.floor((Date.UTC(year, month - 1, day) / 86_400_000 + 3) / 7)),
  monthly: ({ year, month }) => `${year}-${month}`,
  yearly: ({ year }) => String(year),
  all_time: () => '',
};

const formats = new Map<string, Intl.DateTimeFormat>();
function nameUnit(period: BudgetPeriod, at: Date, timeZone: string): string {
  const options = { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', options);
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return UNITS[period](parts as { year: number; month: number; day: number });
}

/** Time zones whose clocks change at midnight, by half an hour, forward and back twice a year, or never. */
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Africa/Cairo'];
const MORE = ['Asia/Kolkata', 'Pacific/Apia', 'America/Santiago', 'Asia/Beirut', 'America/Sao_Paulo', 'Etc/GMT+5'];

describe('a period (BUD-7)', () => {
  it('covers one day, week, month or year in its time zone, and begins at its first instant', async () => {
    const at = fc.date({ min: new Date('2018-01-01'), max: new Date('2026-12-31'), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(fc.array(at, { minLength: 40, maxLength: 60 }), async (dates) => {
        for (const { zone, period, at: moment, start, end } of await read([...ZONES, ...MORE], dates)) {
          const what = [zone, period, moment.toISOString(), start.toISOString()];
          expect([...what, start <= moment]).toEqual([...what, true]);
          if (period === 'all_time') expect([...what, end, start]).toEqual([...what, null, new Date(0)]);
          if (period === 'all_time') continue;
          expect([...what, moment < (end as Date)]).toEqual([...what, true]);
          if (period === 'hourly') expect(+start % 3_600_000).toBe(0);
          if (period === 'hourly') continue;
          const unit = nameUnit(period, moment, zone);
          expect([...what, nameUnit(period, start, zone)]).toEqual([...what, unit]);
          expect([...what, nameUnit(period, new Date(+start - 1), zone)]).not.toEqual([...what, unit]);
          expect([...what, nameUnit(period, new Date(+(end as Date) - 1), zone)]).toEqual([...what, unit]);
          expect([...what, nameUnit(period, end as Date, zone)]).not.toEqual([...what, unit]);
        }
      }),
      { numRuns: 5 },
    );
  });

  it.each<[string, BudgetPeriod, string, string, string | undefined]>([
    ['Europe/Berlin', 'daily', '2026-10-25T12:00Z', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['Europe/Berlin', 'daily', '2026-03-29T12:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['Europe/Berlin', 'hourly', '2026-10-25T00:30Z', '2026-10-25T00:00Z', '2026-10-25T01:00Z'],
    ['America/New_York', 'weekly', '2026-11-01T12:00Z', '2026-10-26T04:00Z', '2026-11-02T05:00Z'],
    ['America/New_York', 'monthly', '2026-11-01T03:59Z', '2026-10-01T04:00Z', '2026-11-01T04:00Z'],
    ['Asia/Tokyo', 'yearly', '2026-12-31T15:00Z', '2026-12-31T15:00Z', '2027-12-31T15:00Z'],
    // These are days on which midnight occurs twice, or not at all.
    ['America/Havana', 'daily', '2026-11-01T04:30Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['America/Havana', 'daily', '2026-11-01T05:30Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['America/Havana', 'daily', '2026-03-08T05:30Z', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
    ['UTC', 'weekly', '2027-01-03T23:59:59Z', '2026-12-28T00:00Z', '2027-01-04T00:00Z'],
    ['Asia/Tokyo', 'all_time', '2026-12-31T12:00Z', '1970-01-01T00:00Z', undefined],
  ])('in %s, %s, at %s is from %s to %s', async (timeZone, period, at, start, end) => {
    expect(await readPeriod(budgets.db, { period, timeZone, at: new Date(at) })).toEqual({
      start: new Date(start),
      end: end === undefined ? undefined : new Date(end),
    });
  });

  it('requires a time zone that the database supports', async () => {
    for (const zone of [...ZONES, ...MORE]) expect([zone, await knowsTimeZone(budgets.db, zone)]).toEqual([zone, true]);
    expect(await knowsTimeZone(budgets.db, 'Europe/Nowhere')).toBe(false);
  });
});
