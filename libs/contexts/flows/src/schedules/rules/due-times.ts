import { hash } from 'node:crypto';
import { Cron } from 'croner';
import { SCHEDULE_DEFAULTS, type ScheduleConfig } from '../schedule-config.ts';

/** A schedule and the data needed to compute its due times. */
export interface Reckoned {
  readonly config: ScheduleConfig;
  /** Time from which intervals are counted, unless the schedule has a start. */
  readonly anchor: Date;
}

const HOUR_MS = 3_600_000;
/** Factor by which each searched interval is longer than the previous one. */
const LONGER = 4;

/**
 * Parses a cron pattern. At daylight saving changes, the library follows its rule `no-wildcard`: a time that does not
 * exist is due at the next existing minute, and several such times are due only once at that minute; a time that occurs
 * twice is due only the first time. A pattern with `*` or a step in its minutes or hours follows elapsed time: a local
 * time that occurs twice is due both times, and one that does not exist is not due.
 */
export function readCron(pattern: string, timeZone: string): Cron {
  return new Cron(pattern, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard' });
}

/** Returns the first due time after an instant; undefined if there is none. */
export function findNextDue(schedule: Reckoned, after: Date): Date | undefined {
  return findNextDues(schedule, after, 1)[0];
}

export function findNextDues(schedule: Reckoned, after: Date, count: number): Date[] {
  return walkDues(schedule, after).take(count).toArray();
}

/** Returns the last due times between two instants (inclusive), oldest first, up to a limit. */
export function listDues(schedule: Reckoned, from: Date, to: Date, most: number): Date[] {
  for (let span = HOUR_MS; ; span *= LONGER) {
    const start = Math.max(from.getTime(), to.getTime() - span);
    const dues = listFrom(schedule, new Date(start - 1), to);
    if (dues.length >= most || start === from.getTime()) return dues.slice(-most);
  }
}

function listFrom(schedule: Reckoned, after: Date, to: Date): Date[] {
  const dues: Date[] = [];
  for (const due of walkDues(schedule, after)) {
    if (due > to) break;
    dues.push(due);
  }
  return dues;
}

/** Generates due times after an instant; the sequence is infinite if the schedule has no end. */
function* walkDues(schedule: Reckoned, after: Date): Generator<Date, void> {
  const { config } = schedule;
  const first = readTime(config.starts_at, -Infinity);
  const last = readTime(config.ends_at, Infinity);
  const next = createStepper(schedule);
  // If the schedule starts after this instant, its first due time is its start or later.
  let due = next(first > after.getTime() ? new Date(first - 1) : after);
  while (due !== undefined && due.getTime() <= last) {
    yield due;
    due = next(due);
  }
}

/**
 * Returns the time at which the run of a due time starts: the due time plus a jitter that is always the same for this
 * due time.
 */
export function findStart(flowId: string, due: Date, { jitter_seconds: jitter = 0 }: ScheduleConfig): Date {
  if (jitter === 0) return due;
  const drawn = Number.parseInt(hash('sha256', `${flowId} ${due.toISOString()}`, 'hex').slice(0, 12), 16);
  return new Date(due.getTime() + (drawn % (jitter * 1000 + 1)));
}

/** Formats an instant in the local time of the zone, with its offset. */
export function formatLocal(time: Date, timeZone: string = SCHEDULE_DEFAULTS.time_zone): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  }).formatToParts(time);
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const offset = read('timeZoneName').replace('GMT', '');
  const date = `${read('year')}-${read('month')}-${read('day')}`;
  return `${date}T${read('hour')}:${read('minute')}:${read('second')}${offset === '' ? '+00:00' : offset}`;
}

function createStepper({ config, anchor }: Reckoned): (after: Date) => Date | undefined {
  const { cron, interval_seconds: seconds, time_zone: zone = SCHEDULE_DEFAULTS.time_zone } = config;
  if (cron !== undefined) {
    const pattern = readCron(cron, zone);
    return (after) => pattern.nextRun(after) ?? undefined;
  }
  if (seconds === undefined) return () => undefined;
  const step = seconds * 1000;
  const origin = readTime(config.starts_at, anchor.getTime());
  return (after) => {
    const passed = Math.floor((after.getTime() - origin) / step) + 1;
    // A schedule with an interval is first due at `starts_at`; without `starts_at`, it is first due one interval after
    // it was saved.
    const least = config.starts_at === undefined ? 1 : 0;
    return new Date(origin + Math.max(passed, least) * step);
  };
}

function readTime(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : new Date(text).getTime();
}
