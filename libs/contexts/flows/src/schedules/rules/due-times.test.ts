import fc from 'fast-check';
import type { ScheduleConfig } from '../schedule-config.ts';
import { checkSchedule } from './check-schedule.ts';
import { findNextDues, findStart, formatLocal, listDues } from './due-times.ts';

const at = (text: string) => new Date(text);
const reckon = (config: ScheduleConfig, anchor = '2026-01-01T00:00:00Z') => ({ config, anchor: at(anchor) });
const list = (config: ScheduleConfig, after: string, count: number) =>
  findNextDues(reckon(config), at(after), count).map((due) => due.toISOString().replace(':00.000Z', 'Z'));

describe('due times at clock changes (FLOW-66)', () => {
  it.each<[pattern: string, zone: string, after: string, due: string[]]>([
    // A time that does not exist is due at the next existing minute, and only once even for several such times.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:30Z']],
    ['15,45 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:15Z']],
    ['0 0 * * *', 'America/Santiago', '2026-09-05T12:00Z', ['2026-09-06T04:00Z', '2026-09-07T03:00Z']],
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['2026-10-03T15:30Z', '2026-10-04T15:15Z']],
    // A time that occurs twice is due the first time.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
    [
      '0,30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:00Z', '2026-10-25T00:30Z', '2026-10-26T01:00Z'],
    ],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['2026-11-01T05:30Z', '2026-11-02T06:30Z']],
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T15:00Z', ['2026-04-04T14:45Z', '2026-04-05T15:15Z']],
    // These patterns follow elapsed time instead.
    [
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-03-29T00:15Z',
      ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'],
    ],
    [
      '0 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:30Z',
      ['2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T02:00Z'],
    ],
    ['0 6 * * 1-5', 'Europe/Berlin', '2026-03-27T12:00Z', ['2026-03-30T04:00Z', '2026-03-31T04:00Z']],
    ['0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
    // The day of the month or the day of the week has to match.
    ['0 9 13 * 5', 'UTC', '2026-01-01T00:00Z', ['2026-01-02T09:00Z', '2026-01-09T09:00Z', '2026-01-13T09:00Z']],
  ])('%s in %s after %s', (cron, time_zone, after, due) => {
    expect(list({ cron, time_zone }, after, due.length)).toEqual(due);
  });

  /**
   * Returns the due times of a daily time, found by advancing minute by minute through local time, without using the
   * library.
   */
  const fixed = (hour: number, minute: number, zone: string, days: readonly [from: string, to: string]): string[] => {
    const found: string[] = [];
    const wall = (time: number) => formatLocal(new Date(time), zone).slice(0, 16);
    const seen = new Set<string>();
    const wanted = `T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
    let before = wall(Date.parse(days[0]) - 60_000);
    for (let time = Date.parse(days[0]); time < Date.parse(days[1]); time += 60_000) {
      const now = wall(time);
      const day = now.slice(0, 10);
      const passed = before < `${day}${wanted}` && now >= `${day}${wanted}`;
      if (passed && !seen.has(day)) {
        seen.add(day);
        found.push(new Date(time).toISOString());
      }
      before = now;
    }
    return found;
  };

  it('occur once per day, in any zone and at any clock change', () => {
    const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kolkata', 'UTC'];
    const SPANS = [
      ['2026-03-28T12:00Z', '2026-03-30T12:00Z'],
      ['2026-04-04T00:00Z', '2026-04-06T00:00Z'],
      ['2026-10-03T00:00Z', '2026-10-05T00:00Z'],
      ['2026-10-24T12:00Z', '2026-10-26T12:00Z'],
      ['2026-04-23T12:00Z', '2026-04-25T12:00Z'],
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.constantFrom(...SPANS),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 59 }),
        (zone, span, hour, minute) => {
          const schedule = reckon({ cron: `${minute} ${hour} * * *`, time_zone: zone });
          const due = listDues(schedule, at(span[0]), new Date(Date.parse(span[1]) - 1), 1000);
          expect(due.map((time) => time.toISOString())).toEqual(fixed(hour, minute, zone, span));
        },
      ),
      { numRuns: 12 },
    );
  });

  it('are given in the local time of their zone', () => {
    expect(formatLocal(at('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe('2026-03-29T03:00:00+02:00');
    expect(formatLocal(at('2026-10-25T01:30:00Z'), 'Europe/Berlin')).toBe('2026-10-25T02:30:00+01:00');
    expect(formatLocal(at('2026-10-25T01:30:00Z'))).toBe('2026-10-25T01:30:00+00:00');
  });
});

describe('due times of an interval', () => {
  it('are counted from its start time or, if it has none, from the time it was saved', () => {
    expect(list({ interval_seconds: 5400 }, '2026-01-01T00:00Z', 2)).toEqual([
      '2026-01-01T01:30Z',
      '2026-01-01T03:00Z',
    ]);
    const later = { interval_seconds: 5400, starts_at: '2026-01-02T00:10:00Z' };
    expect(list(later, '2026-01-01T00:00Z', 2)).toEqual(['2026-01-02T00:10Z', '2026-01-02T01:40Z']);
    expect(list(later, '2026-01-02T00:10Z', 1)).toEqual(['2026-01-02T01:40Z']);
  });

  it('end at its end time', () => {
    const config = { interval_seconds: 3600, ends_at: '2026-01-01T02:00:00Z' };
    expect(list(config, '2026-01-01T00:00Z', 5)).toEqual(['2026-01-01T01:00Z', '2026-01-01T02:00Z']);
  });
});

describe('the last due times between two instants', () => {
  const minutely = reckon({ cron: '* * * * *' });
  it('are limited to the latest ones, up to the requested number, with both ends included', () => {
    const due = listDues(minutely, at('2026-01-01T00:00Z'), at('2026-01-01T00:03Z'), 10);
    expect(due.map((time) => time.getUTCMinutes())).toEqual([0, 1, 2, 3]);
    const many = listDues(minutely, at('2020-01-01T00:00Z'), at('2026-01-01T00:00:30Z'), 100);
    expect([many.length, many.at(0)?.toISOString(), many.at(-1)?.toISOString()]).toEqual([
      100,
      '2025-12-31T22:21:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ]);
  });

  it('are found even if there are few', () => {
    const yearly = reckon({ cron: '0 0 1 1 *' });
    const due = listDues(yearly, at('2024-01-01T00:00Z'), at('2026-06-01T00:00Z'), 100);
    expect(due.map((time) => time.getUTCFullYear())).toEqual([2024, 2025, 2026]);
  });
});

describe('the jitter of a due time', () => {
  it('is constant and within its limit, and differs between flows', () => {
    const due = at('2026-01-01T00:00:00Z');
    const start = (flow: string) => findStart(flow, due, { jitter_seconds: 30 }).getTime() - due.getTime();
    const starts = Array.from({ length: 200 }, (_, index) => start(`flow ${index}`));
    expect(starts).toEqual(Array.from({ length: 200 }, (_, index) => start(`flow ${index}`)));
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...starts)).toBeLessThanOrEqual(30_000);
    expect(new Set(starts).size).toBeGreaterThan(150);
  });
});

describe('a schedule', () => {
  const now = at('2026-06-01T00:00:00Z');
  it.each<[config: ScheduleConfig, field: string | null, problem: RegExp]>([
    [{}, null, /either/],
    [{ cron: '* * * * *', interval_seconds: 60 }, null, /either/],
    [{ cron: '* * * * * *' }, 'cron', /seconds/],
    [{ cron: '0 6 * *' }, 'cron', /five fields/],
    [{ cron: '60 * * * *' }, 'cron', /minute/],
    [{ cron: 'a b c d e' }, 'cron', /cannot be read/],
    [{ cron: '@daily' }, 'cron', /five fields/],
    [{ cron: '0 0 31 2 *' }, 'cron', /never due/],
    [{ cron: '0 0 * * *', time_zone: '+02:00' }, 'time_zone', /IANA/],
    [{ cron: '0 0 * * *', time_zone: 'Europe/Nowhere' }, 'time_zone', /IANA/],
    [{ cron: '0 0 * * *', ends_at: '2026-05-01T00:00:00Z' }, 'ends_at', /no due time in the future/],
    [{ cron: '0 0 * * *', starts_at: '2026-08-01T00:00:00Z', ends_at: '2026-07-01T00:00:00Z' }, 'ends_at', /not after/],
    [{ cron: '*/5 * * * *', jitter_seconds: 300 }, 'jitter_seconds', /300 seconds/],
    [{ interval_seconds: 60, jitter_seconds: 60 }, 'jitter_seconds', /60 seconds/],
  ])('%j is refused', (config, field, problem) => {
    expect(checkSchedule(config, now)).toEqual({ field, problem: expect.stringMatching(problem) });
  });

  it.each<[ScheduleConfig]>([
    [{ cron: '* * * * *', jitter_seconds: 59 }],
    [{ cron: '0 6 * * MON-FRI', time_zone: 'Europe/Berlin' }],
    [{ cron: '0 0 L * *', time_zone: 'Etc/GMT+5' }],
    [{ cron: '0 0 29 2 *', time_zone: 'America/Argentina/Buenos_Aires' }],
    [{ interval_seconds: 90, starts_at: '2027-01-01T00:00:00+02:00', ends_at: '2028-01-01T00:00:00Z' }],
  ])('%j is accepted', (config) => {
    expect(checkSchedule(config, now)).toBeUndefined();
  });
});
