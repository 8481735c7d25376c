import { setting } from './setting-kinds.ts';

/** Settings every process of the suite reads. */
export const baseSettings = {
  databaseUrl: setting.serverUrl('DATABASE_URL', {
    protocols: ['postgres', 'postgresql'],
    description: 'Postgres with pgvector, for example postgres://user:password@host:5432/steward.',
  }),
  databasePoolSize: setting.integer('DATABASE_POOL_SIZE', {
    default: 10,
    min: 1,
    max: 200,
    unit: 'connections',
    description: 'Largest number of database connections of this process.',
  }),
  natsUrl: setting.serverUrl('NATS_URL', {
    protocols: ['nats', 'tls'],
    description: 'NATS server with JetStream, for example nats://host:4222.',
  }),
  logLevel: setting.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error'], {
    default: 'info',
    description: 'Least important level that is logged.',
  }),
  debug: setting.boolean('DEBUG', {
    default: false,
    description: 'Readable log lines instead of JSON, and hot reload of code changes.',
  }),
  telemetryDisabled: setting.boolean('SERVICE_DISABLE_TELEMETRY', {
    default: false,
    description:
      'Switches telemetry off. Steward sends none; the setting is accepted so that no deployment has to guess.',
  }),
  stopDeadlineSeconds: setting.integer('SHUTDOWN_DEADLINE_SECONDS', {
    default: 25,
    min: 1,
    max: 600,
    unit: 'seconds',
    description: 'How long running work may take to finish after SIGTERM.',
  }),
} as const;

/** Settings of every worker process besides `baseSettings`. */
export const workerSettings = {
  ...baseSettings,
  healthHost: setting.text('HEALTH_HOST', {
    default: '0.0.0.0',
    description: 'Address the health and metrics port binds to.',
  }),
  healthPort: setting.integer('HEALTH_PORT', {
    default: 8080,
    min: 0,
    max: 65535,
    description: 'Port of /api/v1/health and /metrics.',
  }),
} as const;
