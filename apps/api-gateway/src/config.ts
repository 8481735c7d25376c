import { EDITIONS } from '@steward/contracts';
import { baseSettings, setting, type SettingsOf } from '@steward/runtime';
import { evidenceSettings } from '@steward/slice-flows';
import { sessionWriteSettings } from '@steward/slice-gateway';

/** Settings of the gateway process. Read once at start; `docs/configuration.md` is generated from this table. */
export const gatewaySettings = {
  ...baseSettings,
  ...sessionWriteSettings,
  ...evidenceSettings,
  serviceRole: setting.choice('SERVICE_ROLE', ['all', 'api', 'gateway'], {
    default: 'all',
    description: 'What this process serves: the API, the model gateway, or both.',
  }),
  edition: setting.choice('SERVICE_EDITION', EDITIONS, {
    default: 'oss',
    description: 'Edition of the deployment.',
  }),
  host: setting.text('HOST', { default: '0.0.0.0', description: 'Address the API binds to.' }),
  port: setting.integer('PORT', { default: 8000, min: 0, max: 65535, description: 'Port of the API.' }),
  healthPort: setting.integer('HEALTH_PORT', {
    min: 0,
    max: 65535,
    description: 'Port of /metrics (and a second /api/v1/health) of this process; without it neither is served.',
  }),
  secretKey: setting.secret('SECRET_KEY', {
    minLength: 32,
    description:
      'Signs access tokens and encrypts secrets at rest. The same on every process; changing it invalidates both.',
  }),
  trustedProxies: setting.list('TRUSTED_PROXIES', {
    description: 'Addresses or networks whose X-Forwarded-For header is believed, comma separated.',
  }),
  registrationEnabled: setting.boolean('REGISTRATION_ENABLED', {
    default: true,
    description: 'Whether anybody may create an account.',
  }),
  accessTokenMinutes: setting.integer('ACCESS_TOKEN_EXPIRE_MINUTES', {
    default: 60,
    min: 1,
    max: 1440,
    unit: 'minutes',
    description: 'Lifetime of an access token.',
  }),
  refreshTokenDays: setting.integer('REFRESH_TOKEN_EXPIRE_DAYS', {
    default: 7,
    min: 1,
    max: 90,
    unit: 'days',
    description: 'Lifetime of a refresh token.',
  }),
  loginFailuresPerMinute: setting.integer('LOGIN_FAILURES_PER_MINUTE', {
    default: 10,
    min: 1,
    max: 1000,
    unit: 'attempts',
    description:
      'Failed logins per username, and five times as many per address, before further ones are refused for a minute.',
  }),
  flowTriggerRatePerMinute: setting.integer('FLOW_TRIGGER_RATE_PER_MINUTE', {
    default: 120,
    min: 1,
    max: 10_000_000,
    unit: 'triggers',
    description:
      'Triggers per flow and minute, and five times as many per address, before further ones are refused with 429; wrong secrets per address have a budget of the same size. Counted per gateway process.',
  }),
  sessionIdleTimeoutMinutes: setting.integer('RUNTIME_SESSION_IDLE_TIMEOUT_MINUTES', {
    default: 720,
    min: 0,
    max: 525_600,
    unit: 'minutes',
    description: 'A session without activity for this long ends with reason idle; 0 means never.',
  }),
  searchTimeoutMs: setting.integer('SESSION_SEARCH_TIMEOUT_MS', {
    default: 5000,
    min: 50,
    max: 60_000,
    unit: 'milliseconds',
    description: 'Time budget of one search; past it the database statement is cancelled.',
  }),
  searchMaxConcurrent: setting.integer('SESSION_SEARCH_MAX_CONCURRENT', {
    default: 8,
    min: 1,
    max: 200,
    unit: 'searches',
    description: 'Searches one process runs at a time, each on two database connections of its own; more wait.',
  }),
  embeddingEnabled: setting.boolean('SESSION_EMBEDDING_ENABLED', {
    default: true,
    description: 'Whether any account may embed and search by meaning; off, keyword search is unaffected.',
  }),
  webhookDeliveryTimeoutSeconds: setting.number('WEBHOOK_DELIVERY_TIMEOUT_SECONDS', {
    default: 10,
    min: 0.1,
    max: 120,
    unit: 'seconds',
    description: 'Time one attempt may take, as the catalogue tells receivers; the same as on the dispatcher.',
  }),
  webhookBlockPrivateTargets: setting.boolean('WEBHOOK_BLOCK_PRIVATE_TARGETS', {
    default: false,
    description: 'Refuse webhook URLs that resolve to loopback, link-local, private or reserved addresses.',
  }),
  webhookAllowedPrivateCidrs: setting.list('WEBHOOK_ALLOWED_PRIVATE_CIDRS', {
    description: 'Networks that stay allowed while private targets are blocked, comma separated.',
  }),
} as const;

export type GatewaySettings = SettingsOf<typeof gatewaySettings>;
