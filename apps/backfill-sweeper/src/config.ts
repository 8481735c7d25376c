import { setting, workerSettings, type SettingsOf } from '@steward/process';
import { backfillSettings } from '@steward/backfill';

/** Defines a setting for the duration of a pass, or of the interval between two. */
const upToADay = (variable: string, otherwise: number, description: string) =>
  setting.number(variable, { default: otherwise, min: 0.1, max: 86_400, unit: 'seconds', description });
const rowsOfAPass = (variable: string, otherwise: number, description: string) =>
  setting.integer(variable, { default: otherwise, min: 1, max: 10_000_000, unit: 'rows', description });

/** Settings of the sweeper process (CORP-13 to CORP-16, CORP-30, MASK-10, SESS-25). Read once at startup. */
export const backfillSweeperSettings = {
  ...workerSettings,
  ...backfillSettings,
  maxSeconds: upToADay('SESSION_SEARCH_BACKFILL_MAX_SECONDS', 120, 'Time limit of one pass.'),
  sessionRetentionDays: setting.integer('SESSION_RETENTION_DAYS', {
    default: 0,
    min: 0,
    max: 36_500,
    unit: 'days',
    description:
      'Permanently deletes sessions that were inactive for this long, except those under legal hold. 0 retains all sessions (docs/use/keeping.md).',
  }),
  remaskEnabled: setting.boolean('SESSION_SEARCH_REMASK_ENABLED', {
    default: true,
    description:
      'Masks credentials in stored content that older rules did not recognize, whether or not the history sweeper runs (docs/use/credentials.md).',
  }),
  remaskIntervalSeconds: upToADay(
    'SESSION_SEARCH_REMASK_INTERVAL_SECONDS',
    60,
    'Time between passes that mask stored content again.',
  ),
  remaskMaxRowsPerPass: rowsOfAPass(
    'SESSION_SEARCH_REMASK_MAX_ROWS_PER_PASS',
    5000,
    'Maximum number of rows that one pass masks again in total; at most a quarter of them for one account.',
  ),
  remaskMaxSeconds: upToADay(
    'SESSION_SEARCH_REMASK_MAX_SECONDS',
    20,
    'Time limit of one pass that masks stored content again.',
  ),
  reindexEnabled: setting.boolean('SESSION_SEARCH_REINDEX_ENABLED', {
    default: true,
    description:
      'Indexes chunks again if their words were indexed by an older version, whether or not the history sweeper runs.',
  }),
  reindexIntervalSeconds: upToADay(
    'SESSION_SEARCH_REINDEX_INTERVAL_SECONDS',
    60,
    'Time between passes that index chunks again.',
  ),
  reindexMaxRowsPerPass: rowsOfAPass(
    'SESSION_SEARCH_REINDEX_MAX_ROWS_PER_PASS',
    5000,
    'Maximum number of rows that one pass indexes again in total; at most a quarter of them for one account.',
  ),
  reindexMaxSeconds: upToADay(
    'SESSION_SEARCH_REINDEX_MAX_SECONDS',
    20,
    'Time limit of one pass that indexes chunks again.',
  ),
} as const;

export type BackfillSweeperSettings = SettingsOf<typeof backfillSweeperSettings>;
