import { setting } from '@steward/process';

/** Settings of the gateway for series. */
export const statsSettings = {
  statsRollUpSeconds: setting.integer('STATS_ROLL_UP_SECONDS', {
    default: 10,
    min: 1,
    max: 3600,
    unit: 'seconds',
    description:
      'Pause between two runs that sum up what was recorded, for charts. Series are current whatever it is: a longer pause makes them slower to read.',
  }),
  statsRetentionDays: setting.integer('STATS_RETENTION_DAYS', {
    default: 400,
    min: 1,
    max: 3650,
    unit: 'days',
    description:
      'How long the sums behind charts are kept. They hold no content and outlive the rows that they count. Those of the search corpus are kept for ever.',
  }),
} as const;
