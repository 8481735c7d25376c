import { setting, workerSettings, type SettingsOf } from '@steward/runtime';

/** Settings of the dispatcher process (interface.md, settings). Read once at start. */
export const dispatcherSettings = {
  ...workerSettings,
  secretKey: setting.secret('SECRET_KEY', {
    minLength: 32,
    description: 'Opens the endpoint secrets. The same as on the gateway.',
  }),
  deliveryEnabled: setting.boolean('WEBHOOK_DELIVERY_ENABLED', {
    default: true,
    description: 'Off records events in the outbox but posts nothing.',
  }),
  pollSeconds: setting.number('WEBHOOK_DELIVERY_POLL_SECONDS', {
    default: 5,
    min: 0.1,
    max: 3600,
    unit: 'seconds',
    description: 'How often the outbox is looked at when no message arrives.',
  }),
  batchSize: setting.integer('WEBHOOK_DELIVERY_BATCH_SIZE', {
    default: 50,
    min: 1,
    max: 1000,
    unit: 'deliveries',
    description: 'Deliveries claimed at once.',
  }),
  concurrency: setting.integer('WEBHOOK_DELIVERY_CONCURRENCY', {
    default: 8,
    min: 1,
    max: 1000,
    unit: 'posts',
    description: 'Posts of this process under way at once.',
  }),
  timeoutSeconds: setting.number('WEBHOOK_DELIVERY_TIMEOUT_SECONDS', {
    default: 10,
    min: 0.1,
    max: 120,
    unit: 'seconds',
    description: 'Time one attempt may take from the first DNS question to the status line.',
  }),
  maxPendingPerAccount: setting.integer('WEBHOOK_MAX_PENDING_PER_ACCOUNT', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    unit: 'deliveries',
    description: 'Undelivered rows of one account; a recovery of dead deliveries fills at most half of them.',
  }),
  circuitFailureThreshold: setting.integer('WEBHOOK_CIRCUIT_FAILURE_THRESHOLD', {
    default: 10,
    min: 1,
    max: 1000,
    unit: 'failures',
    description: 'Consecutive failures that open the breaker of an endpoint.',
  }),
  circuitCooldownSeconds: setting.number('WEBHOOK_CIRCUIT_COOLDOWN_SECONDS', {
    default: 900,
    min: 0.1,
    max: 86_400,
    unit: 'seconds',
    description: 'How long an open breaker keeps an endpoint from being attempted.',
  }),
  retentionDays: setting.integer('WEBHOOK_DELIVERY_RETENTION_DAYS', {
    default: 14,
    min: 1,
    max: 3650,
    unit: 'days',
    description: 'How long finished deliveries and their attempts are kept.',
  }),
  blockPrivateTargets: setting.boolean('WEBHOOK_BLOCK_PRIVATE_TARGETS', {
    default: false,
    description: 'Refuse to connect to loopback, link-local, private and reserved addresses.',
  }),
  allowedPrivateCidrs: setting.list('WEBHOOK_ALLOWED_PRIVATE_CIDRS', {
    description: 'Networks that stay allowed while private targets are blocked, comma separated.',
  }),
} as const;

export type DispatcherSettings = SettingsOf<typeof dispatcherSettings>;
