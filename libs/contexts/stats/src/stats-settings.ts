import { setting } from '@steward/process';

/** The gateway's settings for statistics. */
export const statsSettings = {
  statsRollUpSeconds: setting.integer('STATS_ROLL_UP_SECONDS', {
    default: 10,
    min: 1,
    max: 3600,
    unit: 'seconds',
    description:
      'Time between two runs that aggregate records for charts. Series are always current: with a longer interval, they are slower to read.',
  }),
  statsRetentionDays: setting.integer('STATS_RETENTION_DAYS', {
    default: 400,
    min: 1,
    max: 3650,
    unit: 'days',
    description:
      'How long the aggregates for charts are retained. They contain no content and are retained longer than the rows that they count. Those of the search corpus are retained forever.',
  }),
} as const;
