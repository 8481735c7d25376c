import { setting } from '@steward/process';

/** Settings that the sweeper uses and the gateway reports. They are shared, so that both read the same values. */
export const backfillSettings = {
  enabled: setting.boolean('SESSION_SEARCH_BACKFILL_ENABLED', {
    default: false,
    description:
      'Runs the history sweeper. Existing chunks are retained while it is off; when it is switched on again, it resumes from the watermark. The value must be the same on gateway and sweeper.',
  }),
  intervalSeconds: setting.number('SESSION_SEARCH_BACKFILL_INTERVAL_SECONDS', {
    default: 900,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'Time between passes.',
  }),
  maxRowsPerPass: setting.integer('SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_PASS', {
    default: 2000,
    min: 1,
    max: 10_000_000,
    unit: 'rows',
    description: 'Maximum number of rows that one pass writes in total; all sweepers share it in each interval.',
  }),
  maxRowsPerAccount: setting.integer('SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT', {
    default: 500,
    min: 1,
    max: 10_000_000,
    unit: 'rows',
    description: 'Maximum number of rows that one pass writes for one account.',
  }),
  maxAgeDays: setting.integer('SESSION_SEARCH_BACKFILL_MAX_AGE_DAYS', {
    default: 183,
    min: 0,
    max: 36_500,
    unit: 'days',
    description: 'Maximum age of sessions to index; 0 means no limit.',
  }),
} as const;
