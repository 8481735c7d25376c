/** Ways to handle a due time that is reached while an earlier run is active. */
export const OVERLAPS = ['skip', 'queue', 'replace'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** Determines when a flow is started: by a cron expression or an interval. */
export interface ScheduleConfig {
  /** Cron expression with five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron?: string;
  readonly interval_seconds?: number;
  /** IANA name of the time zone; default: UTC. */
  readonly time_zone?: string;
  readonly overlap?: Overlap;
  /** Whether the most recent missed due time still starts a run when a worker finds it late. */
  readonly catch_up?: boolean;
  /** Maximum random delay of a due time; the delay of a given due time never changes. */
  readonly jitter_seconds?: number;
  /** Start of the schedule: no due time is before `starts_at` or after `ends_at`. */
  readonly starts_at?: string;
  readonly ends_at?: string;
}

export const SCHEDULE_DEFAULTS = {
  time_zone: 'UTC',
  overlap: 'skip',
  catch_up: true,
  jitter_seconds: 0,
} as const satisfies ScheduleConfig;

export const MIN_INTERVAL_SECONDS = 60;
export const MAX_INTERVAL_SECONDS = 366 * 86_400;
export const MAX_JITTER_SECONDS = 3600;
/** Delay in seconds after which the last due time counts as missed if `catch_up` is false. */
export const ON_TIME_SECONDS = 60;
