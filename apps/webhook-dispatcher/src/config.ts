import {
  formerWorkerKeys,
  keyLostSetting,
  setting,
  workerKey,
  workerSettings,
  type SettingsOf,
} from '@steward/process';
import { webhookSettings } from '@steward/webhooks';

/** Settings of the dispatcher process (HOOK-19, HOOK-27, HOOK-28, HOOK-34). Read once at start. */
export const dispatcherSettings = {
  ...workerSettings,
  ...webhookSettings,
  endpointSecretKey: workerKey('ENDPOINT_SECRET_KEY', 'the endpoint secrets'),
  previousEndpointSecretKeys: formerWorkerKeys('ENDPOINT_SECRET_KEY_PREVIOUS'),
  secretKeyLost: keyLostSetting,
  deliveryEnabled: setting.boolean('WEBHOOK_DELIVERY_ENABLED', {
    default: true,
    description: 'If false, events are recorded in the outbox but not sent.',
  }),
  smtpUrl: setting.maskedText('SMTP_URL', {
    mayBeEmpty: true,
    description:
      'Mail server for approval mail: smtp://user:password@host:587, or smtps:// with TLS from the start. Until it is set, no mail is sent.',
  }),
  publicUrl: setting.webUrl('PUBLIC_URL', {
    default: 'http://127.0.0.1:8000',
    description:
      'Public URL of this deployment, with which the links in notices begin. It must be the same as PUBLIC_URL of the gateway.',
  }),
  pollSeconds: setting.number('WEBHOOK_DELIVERY_POLL_SECONDS', {
    default: 5,
    min: 0.1,
    max: 3600,
    unit: 'seconds',
    description: 'How often the outbox is checked when no message arrives.',
  }),
  batchSize: setting.integer('WEBHOOK_DELIVERY_BATCH_SIZE', {
    default: 50,
    min: 1,
    max: 1000,
    unit: 'deliveries',
    description: 'Number of deliveries claimed at once.',
  }),
  concurrency: setting.integer('WEBHOOK_DELIVERY_CONCURRENCY', {
    default: 8,
    min: 1,
    max: 1000,
    unit: 'posts',
    description: 'Maximum number of concurrent requests of this process.',
  }),
  maxPendingPerAccount: setting.integer('WEBHOOK_MAX_PENDING_PER_ACCOUNT', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    unit: 'deliveries',
    description:
      'Maximum number of undelivered rows of one account; a recovery of dead deliveries uses at most half of them.',
  }),
  circuitFailureThreshold: setting.integer('WEBHOOK_CIRCUIT_FAILURE_THRESHOLD', {
    default: 10,
    min: 1,
    max: 1000,
    unit: 'failures',
    description: 'Number of consecutive failures after which the circuit breaker of an endpoint opens.',
  }),
  circuitCooldownSeconds: setting.number('WEBHOOK_CIRCUIT_COOLDOWN_SECONDS', {
    default: 900,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'How long an open circuit breaker blocks attempts to its endpoint.',
  }),
  retentionDays: setting.integer('WEBHOOK_DELIVERY_RETENTION_DAYS', {
    default: 14,
    min: 1,
    max: 3650,
    unit: 'days',
    description: 'How long finished deliveries and their attempts are retained.',
  }),
} as const;

export type DispatcherSettings = SettingsOf<typeof dispatcherSettings>;
