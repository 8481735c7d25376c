import { setting } from './setting-kinds.ts';
import type { Setting } from './settings.ts';
import { telemetrySettings } from './telemetry-settings.ts';
import { tlsSettings } from './tls-files.ts';

/**
 * Setting for the number of replicas of each stream; `npm run migrate`, which changes existing streams, also reads it.
 */
export const streamReplicasSetting: Setting<number | undefined> = {
  ...setting.integer('NATS_STREAM_REPLICAS', {
    description:
      'Number of replicas of each stream in a JetStream cluster: 1, 3 or 5. Default: 1 for a new stream; existing streams keep their number.',
  }),
  allowed: '1, 3, 5',
  parse(text) {
    if (!['1', '3', '5'].includes(text)) throw new Error('must be one of: 1, 3, 5');
    return Number(text);
  },
};

const directUrlSetting: Setting<string | undefined> = {
  ...setting.serverUrl('DATABASE_DIRECT_URL', {
    protocols: ['postgres', 'postgresql'],
    description:
      'Direct URL of Postgres if DATABASE_URL points to a pooler in transaction mode such as PgBouncer; used for everything that needs a session. Default: DATABASE_URL.',
  }),
  required: false,
};

/** Settings that every process of the suite reads. */
export const baseSettings = {
  databaseUrl: setting.serverUrl('DATABASE_URL', {
    protocols: ['postgres', 'postgresql'],
    description: 'Postgres with pgvector, for example postgres://user:password@host:5432/steward.',
  }),
  databaseDirectUrl: directUrlSetting,
  databaseNamedStatements: setting.boolean('DATABASE_NAMED_STATEMENTS', {
    description:
      'Whether DATABASE_URL supports named prepared statements. Default: true without DATABASE_DIRECT_URL; with it false, because poolers in transaction mode lose them (PgBouncer before 1.21, or without max_prepared_statements).',
  }),
  ...tlsSettings.database,
  databasePoolSize: setting.integer('DATABASE_POOL_SIZE', {
    default: 10,
    min: 1,
    max: 200,
    unit: 'connections',
    description: 'Maximum number of database connections of this process.',
  }),
  natsUrl: setting.serverUrl('NATS_URL', {
    protocols: ['nats', 'tls'],
    description: 'NATS server with JetStream, for example nats://host:4222.',
  }),
  ...tlsSettings.nats,
  streamReplicas: streamReplicasSetting,
  logLevel: setting.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error'], {
    default: 'info',
    description: 'Minimum level of log lines.',
  }),
  debug: setting.boolean('DEBUG', {
    default: false,
    description: 'Readable log lines instead of JSON, and hot reload of code changes.',
  }),
  telemetryDisabled: setting.boolean('SERVICE_DISABLE_TELEMETRY', {
    default: false,
    description:
      'Whether to disable the export of traces and metrics even if an endpoint is set. Steward never sends any to its developers.',
  }),
  ...telemetrySettings,
  stopDeadlineSeconds: setting.integer('SHUTDOWN_DEADLINE_SECONDS', {
    default: 25,
    min: 1,
    max: 600,
    unit: 'seconds',
    description: 'How long running work may take to finish after SIGTERM.',
  }),
} as const;

/** Settings of every worker process: `baseSettings` and those of its health port. */
export const workerSettings = {
  ...baseSettings,
  healthHost: setting.text('HEALTH_HOST', {
    default: '0.0.0.0',
    description: 'Address the health and metrics port binds to.',
  }),
  healthPort: setting.port('HEALTH_PORT', {
    default: 8080,
    description: 'Port of /livez, /readyz, /api/v1/health and /metrics.',
  }),
} as const;

/** Setting of apps that refuse to start if their key cannot decrypt any stored secret. */
export const keyLostSetting = setting.boolean('SECRET_KEY_LOST', {
  default: false,
  description:
    'Starts even if no stored secret can be decrypted with SECRET_KEY. Set it only if the previous key is permanently lost and all stored secrets will be replaced.',
});
