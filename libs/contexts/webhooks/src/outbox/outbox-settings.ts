import { setting } from '@steward/process';

/** Settings of every process that emits events. */
export const outboxSettings = {
  webhookMaxPendingPerAccount: setting.integer('WEBHOOK_MAX_PENDING_PER_ACCOUNT', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    unit: 'deliveries',
    description: 'Maximum number of undelivered rows of one account in the outbox.',
  }),
} as const;
