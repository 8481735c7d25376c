import { InvalidArgumentError, Option, type Command } from 'commander';
import { refuse } from '../exit-codes.ts';
import { readInteger } from '../read-integer.ts';
import { withoutUndefined } from '../without-undefined.ts';

export interface ScheduleOptions {
  readonly schedule?: string;
  readonly every?: number;
  readonly timeZone?: string;
  readonly overlap?: string;
  readonly catchUp: boolean;
  readonly jitter?: number;
  readonly startsAt?: string;
  readonly endsAt?: string;
}

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Adds the options of `steward flow create` that set a schedule. */
export function addScheduleOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--schedule <cron>', 'cron expression for the due times, for example "0 6 * * 1-5"').conflicts(
        'every',
      ),
    )
    .option('--every <duration>', 'interval between due times, for example 15m, 6h', readDuration)
    .option('--time-zone <zone>', 'time zone of the schedule, for example Europe/Berlin (default: UTC)')
    .addOption(
      new Option('--overlap <what>', 'action at a due time while a run is active').choices([
        'skip',
        'queue',
        'replace',
      ]),
    )
    .option('--no-catch-up', 'skip runs that were missed during an outage')
    .option('--jitter <seconds>', 'maximum delay of a start, in seconds', readInteger(0, 3600))
    .option('--starts-at <time>', 'earliest due time, for example 2027-01-31T06:00:00Z')
    .option('--ends-at <time>', 'latest due time');
}

/** Returns the `schedule_config` of a flow; undefined without a schedule. */
export function readSchedule(options: ScheduleOptions): object | undefined {
  const { schedule, every, timeZone, overlap, catchUp, jitter, startsAt, endsAt } = options;
  const more = withoutUndefined({
    time_zone: timeZone,
    overlap,
    catch_up: catchUp ? undefined : false,
    jitter_seconds: jitter,
    starts_at: startsAt,
    ends_at: endsAt,
  });
  if (schedule === undefined && every === undefined) {
    if (Object.keys(more).length > 0)
      throw refuse(
        '--time-zone, --overlap, --no-catch-up, --jitter, --starts-at and --ends-at need --schedule or --every.',
      );
    return undefined;
  }
  return { ...withoutUndefined({ cron: schedule, interval_seconds: every }), ...more };
}

function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,8})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('The value must be a duration such as 90s, 15m, 6h or 2d.');
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}
