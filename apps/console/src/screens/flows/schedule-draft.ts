import type { ScheduleConfig } from '../../api/answers.ts';

/** Form values of a schedule by field name: unchecked checkboxes are missing. */
export type ScheduleValues = Readonly<Record<string, string>>;

const MINUTE_SECONDS = 60;

/** Returns a schedule as form values. */
export function showSchedule(config: ScheduleConfig | undefined, zone: string): ScheduleValues {
  const {
    cron,
    interval_seconds: seconds,
    time_zone,
    overlap = 'skip',
    catch_up = true,
    jitter_seconds = 0,
  } = config ?? {};
  return {
    schedule_kind: seconds === undefined ? 'cron' : 'interval',
    cron: cron ?? '0 6 * * 1-5',
    every_minutes: String((seconds ?? 3600) / MINUTE_SECONDS),
    time_zone: time_zone ?? (config === undefined ? zone : 'UTC'),
    overlap,
    ...(catch_up ? { catch_up: 'on' } : {}),
    jitter_seconds: String(jitter_seconds),
  };
}

/** Returns the request body for the schedule. Settings that are not in the form stay unchanged. */
export function readSchedule(values: ScheduleValues, known: ScheduleConfig | null | undefined): ScheduleConfig {
  const { starts_at, ends_at } = known ?? {};
  const read = (field: string): string => (values[field] ?? '').trim();
  return {
    ...(read('schedule_kind') === 'interval'
      ? { interval_seconds: Math.round(Number(read('every_minutes')) * MINUTE_SECONDS) }
      : { cron: read('cron') }),
    time_zone: read('time_zone') || 'UTC',
    overlap: read('overlap') as NonNullable<ScheduleConfig['overlap']>,
    catch_up: values['catch_up'] !== undefined,
    jitter_seconds: Math.round(Number(read('jitter_seconds'))),
    ...(starts_at === undefined ? {} : { starts_at }),
    ...(ends_at === undefined ? {} : { ends_at }),
  };
}
