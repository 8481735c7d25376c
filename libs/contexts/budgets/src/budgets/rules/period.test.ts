import { isTimeZone, namePeriod, type BudgetPeriod } from './period.ts';

describe('the key of a period', () => {
  it.each<[BudgetPeriod, string, string, string]>([
    ['hourly', 'UTC', '2026-11-20T14:00Z', 'hourly:2026-11-20T14'],
    ['hourly', 'Asia/Kolkata', '2026-11-20T14:00Z', 'hourly:2026-11-20T14'],
    ['daily', 'UTC', '2026-11-20T00:00Z', 'daily:2026-11-20'],
    ['daily', 'Europe/Berlin', '2026-11-19T23:00Z', 'daily:2026-11-20'],
    ['weekly', 'America/New_York', '2026-11-23T05:00Z', 'weekly:2026-11-23'],
    ['monthly', 'Pacific/Auckland', '2026-11-30T11:00Z', 'monthly:2026-12-01'],
    ['yearly', 'Asia/Tokyo', '2026-12-31T15:00Z', 'yearly:2027-01-01'],
    ['all_time', 'Asia/Tokyo', '1970-01-01T00:00Z', 'all_time'],
  ])('%s in %s from %s has the key %s', (period, timeZone, start, name) => {
    expect(namePeriod({ period, timeZone, start: new Date(start) })).toBe(name);
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'America/Port-au-Prince'])(
    'is accepted: %s',
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  it.each(['', 'Berlin', '+01:00', 'Europe/Berlin ', 'Europe/Nowhere', 'Europe/Berlin;', 'CEST', 'x'.repeat(70)])(
    'is not accepted: "%s"',
    (name) => expect(isTimeZone(name)).toBe(false),
  );
});
