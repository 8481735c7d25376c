import { endOf, namePeriod, startOf, type BudgetPeriod } from './period.ts';

describe('a period', () => {
  it.each<[BudgetPeriod, string, string, string | undefined, string]>([
    ['hourly', '2026-11-20T14:59:59.999Z', '2026-11-20T14:00', '2026-11-20T15:00', 'hourly:2026-11-20T14'],
    ['daily', '2026-11-20T23:59:59.999Z', '2026-11-20T00:00', '2026-11-21T00:00', 'daily:2026-11-20'],
    ['daily', '2026-10-25T00:30:00Z', '2026-10-25T00:00', '2026-10-26T00:00', 'daily:2026-10-25'],
    ['weekly', '2027-01-03T23:59:59Z', '2026-12-28T00:00', '2027-01-04T00:00', 'weekly:2026-12-28'],
    ['weekly', '2026-11-23T00:00:00Z', '2026-11-23T00:00', '2026-11-30T00:00', 'weekly:2026-11-23'],
    ['monthly', '2028-02-29T12:00:00Z', '2028-02-01T00:00', '2028-03-01T00:00', 'monthly:2028-02-01'],
    ['monthly', '2026-12-31T12:00:00Z', '2026-12-01T00:00', '2027-01-01T00:00', 'monthly:2026-12-01'],
    ['yearly', '2026-12-31T12:00:00Z', '2026-01-01T00:00', '2027-01-01T00:00', 'yearly:2026-01-01'],
    ['all_time', '2026-12-31T12:00:00Z', '1970-01-01T00:00', undefined, 'all_time'],
  ])('%s at %s is from %s to %s, named %s', (period, at, start, end, name) => {
    const begun = startOf(period, new Date(at));
    expect(begun).toEqual(new Date(`${start}Z`));
    expect(endOf(period, begun)).toEqual(end === undefined ? undefined : new Date(`${end}Z`));
    expect(namePeriod(period, begun)).toBe(name);
  });
});
