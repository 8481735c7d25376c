import { setting, workerSettings, type SettingsOf } from '@steward/process';

/** Settings of the sweeper process (CORP-13 to CORP-16, MASK-10). Read once at start. */
export const backfillSweeperSettings = {
  ...workerSettings,
  enabled: setting.boolean('SESSION_SEARCH_BACKFILL_ENABLED', {
    default: false,
    description:
      'Runs the history sweeper. Off leaves written chunks in place; on again it resumes from the watermark.',
  }),
  intervalSeconds: setting.number('SESSION_SEARCH_BACKFILL_INTERVAL_SECONDS', {
    default: 900,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'Between passes.',
  }),
  maxRowsPerPass: setting.integer('SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_PASS', {
    default: 2000,
    min: 1,
    max: 10_000_000,
    unit: 'rows',
    description: 'Rows one pass may write in total.',
  }),
  maxRowsPerAccount: setting.integer('SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT', {
    default: 500,
    min: 1,
    max: 10_000_000,
    unit: 'rows',
    description: 'Rows one pass may write for one account.',
  }),
  maxSeconds: setting.number('SESSION_SEARCH_BACKFILL_MAX_SECONDS', {
    default: 120,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'Wall-clock budget of one pass.',
  }),
  maxAgeDays: setting.integer('SESSION_SEARCH_BACKFILL_MAX_AGE_DAYS', {
    default: 183,
    min: 0,
    max: 36_500,
    unit: 'days',
    description: 'How far back the walk goes; 0 means no age bound.',
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
} as const;

export type BackfillSweeperSettings = SettingsOf<typeof backfillSweeperSettings>;
