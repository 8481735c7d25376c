import { MIN_INTERVAL_SECONDS, SCHEDULE_DEFAULTS, type ScheduleConfig } from '../schedule-config.ts';
import { findNextDues, readCron } from './due-times.ts';

export interface ScheduleProblem {
  readonly field: keyof ScheduleConfig | null;
  /** The problem as a sentence without its subject, which the message adds. */
  readonly problem: string;
}

/** Number of due times between which the intervals are checked. */
const LOOKED_AT = 60;

/** Returns the first problem of a schedule; undefined if there is none. */
export function checkSchedule(config: ScheduleConfig, now: Date): ScheduleProblem | undefined {
  const {
    cron,
    interval_seconds: interval,
    time_zone: zone = SCHEDULE_DEFAULTS.time_zone,
    starts_at,
    ends_at,
  } = config;
  if ((cron === undefined) === (interval === undefined))
    return { field: null, problem: 'needs either "cron" or "interval_seconds"' };
  if (!isTimeZone(zone))
    return { field: 'time_zone', problem: 'is not the IANA name of a time zone, such as Europe/Berlin or UTC' };
  const problem = cron === undefined ? undefined : checkCron(cron, zone);
  if (problem !== undefined) return { field: 'cron', problem };
  for (const [field, value] of Object.entries({ starts_at, ends_at }))
    if (value !== undefined && Number.isNaN(Date.parse(value)))
      return { field: field as 'starts_at', problem: 'is not a time such as 2027-01-31T06:00:00Z' };
  if (starts_at !== undefined && ends_at !== undefined && Date.parse(ends_at) <= Date.parse(starts_at))
    return { field: 'ends_at', problem: 'is not after "starts_at"' };
  return checkDues(config, now);
}

function checkDues(config: ScheduleConfig, now: Date): ScheduleProblem | undefined {
  const dues = findNextDues({ config, anchor: now }, now, LOOKED_AT).map((due) => due.getTime());
  if (dues.length === 0) {
    const isOver = config.ends_at !== undefined;
    return isOver
      ? { field: 'ends_at', problem: 'leaves no due time in the future' }
      : { field: 'cron', problem: 'is never due: no date matches it' };
  }
  const least = Math.min(...dues.slice(1).map((due, index) => due - (dues[index] as number))) / 1000;
  if (least < MIN_INTERVAL_SECONDS)
    return { field: 'cron', problem: 'is due more often than once a minute, which is the maximum' };
  if ((config.jitter_seconds ?? 0) >= least)
    return { field: 'jitter_seconds', problem: `is not shorter than the ${least} seconds between two due times` };
  return undefined;
}

function checkCron(pattern: string, zone: string): string | undefined {
  const fields = pattern.trim().split(/\s+/);
  if (fields.length === 6 || fields.length === 7)
    return 'has more than five fields: seconds are not supported, because the maximum is once a minute';
  if (fields.length !== 5) return 'needs five fields: minute, hour, day of the month, month, day of the week';
  try {
    readCron(pattern, zone);
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return `cannot be read: ${said.replace(/^\w+: /, '').replace(/\.$/, '')}`;
  }
}

/**
 * Returns whether this is the name of a time zone. A name is required: an offset does not follow daylight saving time.
 */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}
