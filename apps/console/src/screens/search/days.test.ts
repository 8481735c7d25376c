import { toDay, toMoment } from './days.ts';

describe('a day in a URL', () => {
  it.each(['2026-11-23', '2026-03-29', '2026-10-25', '2027-01-01'])(
    'is the same day when it is read again: %s',
    (day) => {
      expect(toDay(toMoment(day))).toBe(day);
    },
  );

  it('is empty if the URL contains no valid time', () => {
    expect([toDay(undefined), toDay('yesterday')]).toEqual([undefined, undefined]);
  });
});
