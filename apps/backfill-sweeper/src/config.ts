import { setting, workerSettings, type SettingsOf } from '@steward/process';
import { backfillSettings } from '@steward/slice-backfill';

/** How long a pass, or the time between two, takes. */
const upToADay = (variable: string, otherwise: number, description: string) =>
  setting.number(variable, { default: otherwise, min: 0.1, max: 86_400, unit: 'seconds', description });
const rowsOfAPass = (variable: string, otherwise: number, description: string) =>
  setting.integer(variable, { default: otherwise, min: 1, max: 10_000_000, unit: 'rows', description });

/** Settings of the sweeper process (CORP-13 to CORP-16, CORP-30, MASK-10, SESS-25). Read once at start. */
export const backfillSweeperSettings = {
  ...workerSettings,
  ...backfillSettings,
  maxSeconds: upToADay('SESSION_SEARCH_BACKFILL_MAX_SECONDS', 120, 'Wall-clock budget of one pass.'),
  sessionRetentionDays: setting.integer('SESSION_RETENTION_DAYS', {
    default: 0,
    min: 0,
    max: 36_500,
    unit: 'days',
    description:
      'Deletes sessions, for good, in which nothing happened for so long; those under legal hold stay. 0 keeps all for ever (docs/keeping.md).',
  }),
  remaskEnabled: setting.boolean('SESSION_SEARCH_REMASK_ENABLED', {
    default: true,
    description:
      'Masks anew what older rules for credentials let through, whether or not the history sweeper runs (docs/credentials.md).',
  }),
  remaskIntervalSeconds: upToADay('SESSION_SEARCH_REMASK_INTERVAL_SECONDS', 60, 'Between passes of masking anew.'),
  remaskMaxRowsPerPass: rowsOfAPass(
    'SESSION_SEARCH_REMASK_MAX_ROWS_PER_PASS',
    5000,
    'Rows one pass may mask anew in total; an account takes at most a quarter of them.',
  ),
  remaskMaxSeconds: upToADay('SESSION_SEARCH_REMASK_MAX_SECONDS', 20, 'Wall-clock budget of one pass of masking anew.'),
  reindexEnabled: setting.boolean('SESSION_SEARCH_REINDEX_ENABLED', {
    default: true,
    description:
      'Makes the words of chunks anew that an older version indexed, whether or not the history sweeper runs.',
  }),
  reindexIntervalSeconds: upToADay('SESSION_SEARCH_REINDEX_INTERVAL_SECONDS', 60, 'Between passes of indexing anew.'),
  reindexMaxRowsPerPass: rowsOfAPass(
    'SESSION_SEARCH_REINDEX_MAX_ROWS_PER_PASS',
    5000,
    'Rows one pass may index anew in total; an account takes at most a quarter of them.',
  ),
  reindexMaxSeconds: upToADay(
    'SESSION_SEARCH_REINDEX_MAX_SECONDS',
    20,
    'Wall-clock budget of one pass of indexing anew.',
  ),
} as const;

export type BackfillSweeperSettings = SettingsOf<typeof backfillSweeperSettings>;
