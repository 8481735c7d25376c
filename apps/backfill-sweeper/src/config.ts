import { setting, workerSettings, type SettingsOf } from '@steward/process';
import { backfillSettings } from '@steward/slice-backfill';

/** Settings of the sweeper process (CORP-13 to CORP-16, CORP-30, MASK-10, SESS-25). Read once at start. */
export const backfillSweeperSettings = {
  ...workerSettings,
  ...backfillSettings,
  maxSeconds: setting.number('SESSION_SEARCH_BACKFILL_MAX_SECONDS', {
    default: 120,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'Wall-clock budget of one pass.',
  }),
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
  remaskIntervalSeconds: setting.number('SESSION_SEARCH_REMASK_INTERVAL_SECONDS', {
    default: 60,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'Between passes of masking anew.',
  }),
  remaskMaxRowsPerPass: setting.integer('SESSION_SEARCH_REMASK_MAX_ROWS_PER_PASS', {
    default: 5000,
    min: 1,
    max: 10_000_000,
    unit: 'rows',
    description: 'Rows one pass may mask anew in total; an account takes at most a quarter of them.',
  }),
  remaskMaxSeconds: setting.number('SESSION_SEARCH_REMASK_MAX_SECONDS', {
    default: 20,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'Wall-clock budget of one pass of masking anew.',
  }),
  reindexEnabled: setting.boolean('SESSION_SEARCH_REINDEX_ENABLED', {
    default: true,
    description:
      'Makes the words of chunks anew that an older version indexed, whether or not the history sweeper runs.',
  }),
  reindexIntervalSeconds: setting.number('SESSION_SEARCH_REINDEX_INTERVAL_SECONDS', {
    default: 60,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'Between passes of indexing anew.',
  }),
  reindexMaxRowsPerPass: setting.integer('SESSION_SEARCH_REINDEX_MAX_ROWS_PER_PASS', {
    default: 5000,
    min: 1,
    max: 10_000_000,
    unit: 'rows',
    description: 'Rows one pass may index anew in total; an account takes at most a quarter of them.',
  }),
  reindexMaxSeconds: setting.number('SESSION_SEARCH_REINDEX_MAX_SECONDS', {
    default: 20,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'Wall-clock budget of one pass of indexing anew.',
  }),
} as const;

export type BackfillSweeperSettings = SettingsOf<typeof backfillSweeperSettings>;
