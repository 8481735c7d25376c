import type { ScheduleConfig } from '../../api/answers.ts';
import { readSchedule, showSchedule } from './schedule-draft.ts';

describe('a schedule in the form', () => {
  it.each<[what: string, config: ScheduleConfig]>([
    [
      'a schedule with a cron expression',
      { cron: '0 6 * * *', time_zone: 'Europe/Berlin', overlap: 'queue', catch_up: false, jitter_seconds: 5 },
    ],
    [
      'a schedule with an interval and both limits',
      {
        interval_seconds: 5400,
        time_zone: 'UTC',
        overlap: 'replace',
        catch_up: true,
        jitter_seconds: 0,
        starts_at: '2026-01-01T00:00:00Z',
        ends_at: '2027-01-01T00:00:00Z',
      },
    ],
  ])('%s is sent back unchanged', (_what, config) => {
    expect(readSchedule(showSchedule(config, 'Asia/Tokyo'), config)).toEqual(config);
  });

  it('is initialized with the user’s time zone, or with UTC if a stored schedule has none', () => {
    expect(showSchedule(undefined, 'Asia/Tokyo')).toMatchObject({ schedule_kind: 'cron', time_zone: 'Asia/Tokyo' });
    expect(showSchedule({ cron: '0 6 * * *' }, 'Asia/Tokyo')).toMatchObject({ time_zone: 'UTC', catch_up: 'on' });
  });
});
