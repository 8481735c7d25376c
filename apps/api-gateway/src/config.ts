import { EDITIONS } from '@steward/contracts';
import { requireTrustedProxy } from '@steward/http';
import { baseSettings, keyLostSetting, setting, type SettingsOf } from '@steward/process';
import { requireInertArgument } from '@steward/slice-approvals';
import { backfillSettings } from '@steward/slice-backfill';
import { evidenceSettings } from '@steward/slice-flows';
import { modelSettings } from '@steward/slice-models';
import { embeddingSettings, indexSettings, semanticSettings } from '@steward/slice-search';
import { contentSettings } from '@steward/slice-sessions';
import { toolServerSettings } from '@steward/slice-tool-servers';
import { trackerSettings } from '@steward/slice-trackers';
import { outboxSettings, webhookSettings } from '@steward/slice-webhooks';
import { requireDoorName } from './doors/api/agents/read-own-tool.ts';
import { accountLimitSettings } from './account-limit-settings.ts';

/** Where nobody said anything else: an address of this machine alone. */
export const DEFAULT_PUBLIC_URL = 'http://127.0.0.1:8000';

/** Settings of the gateway process. Read once at start; `docs/configuration.md` is generated from this table. */
export const gatewaySettings = {
  ...baseSettings,
  ...contentSettings,
  ...indexSettings,
  ...embeddingSettings,
  ...semanticSettings,
  ...modelSettings,
  ...toolServerSettings,
  ...trackerSettings,
  ...outboxSettings,
  ...evidenceSettings,
  ...accountLimitSettings,
  serviceRole: setting.choice('SERVICE_ROLE', ['all', 'api', 'gateway'], {
    default: 'all',
    description: 'What this process serves: the API, the model gateway, or both.',
  }),
  edition: setting.choice('SERVICE_EDITION', EDITIONS, {
    default: 'oss',
    description: 'Edition of the deployment.',
  }),
  agentDiscoveryEnabled: setting.boolean('AGENT_DISCOVERY_ENABLED', {
    default: true,
    description: 'Accounts may turn on that workstations report the agents on them.',
  }),
  host: setting.text('HOST', { default: '0.0.0.0', description: 'Address the API binds to.' }),
  port: setting.port('PORT', { default: 8000, description: 'Port of the API.' }),
  healthPort: setting.port('HEALTH_PORT', {
    description:
      'Port of /metrics, /livez and /readyz (and a second /api/v1/health) of this process; without it none is served.',
  }),
  consoleDirectory: setting.text('CONSOLE_DIR', {
    description:
      'Folder with the built web console; by default `console` beside the bundle of this process. Without one the console is not served.',
  }),
  drainSeconds: setting.integer('SHUTDOWN_DRAIN_SECONDS', {
    default: 0,
    min: 0,
    max: 300,
    unit: 'seconds',
    description:
      'How long the port stays open after SIGTERM while /readyz already answers 503, so that load balancers notice first. In Kubernetes: 5 or more.',
  }),
  secretKey: setting.secret('SECRET_KEY', {
    minLength: 32,
    description:
      'Signs access tokens and seals secrets at rest; every other key is derived from it. The same on every gateway and nowhere else. To change it see docs/keys.md.',
  }),
  previousSecretKeys: setting.secretList('SECRET_KEY_PREVIOUS', {
    minLength: 32,
    description:
      'Other keys whose tokens and sealed secrets are still accepted, comma separated: the former one while SECRET_KEY is changed.',
  }),
  secretKeyLost: keyLostSetting,
  trustedProxies: setting.list('TRUSTED_PROXIES', {
    check: requireTrustedProxy,
    description: 'Addresses or networks whose X-Forwarded-For header is believed, comma separated.',
  }),
  registrationEnabled: setting.choice('REGISTRATION_ENABLED', ['true', 'first', 'false'], {
    default: 'first',
    description:
      'Who may create an account: anybody (true), whoever comes first to a deployment without one (first), nobody (false).',
  }),
  registrationRatePerMinute: setting.integer('REGISTRATION_RATE_PER_MINUTE', {
    default: 10,
    min: 1,
    max: 1_000_000,
    unit: 'registrations',
    description:
      'Registrations per address (an IPv6 /64) and minute before further ones are refused with 429. Counted per gateway process.',
  }),
  invitationDays: setting.integer('INVITATION_EXPIRE_DAYS', {
    default: 7,
    min: 1,
    max: 90,
    unit: 'days',
    description: 'How long the invitation of a user without a password can be accepted.',
  }),
  publicUrl: setting.webUrl('PUBLIC_URL', {
    default: DEFAULT_PUBLIC_URL,
    description:
      'Address people reach this deployment at; the links of invitations begin with it, and once it is another than the default those to found sessions.',
  }),
  mailFrom: setting.text('MAIL_FROM', {
    description:
      'Sender of the mail that approvers get; without it none is sent. The dispatcher sends it through SMTP_URL, and its links begin with PUBLIC_URL.',
  }),
  mcpDoorNames: setting.list('MCP_DOOR_NAMES', {
    check: requireDoorName,
    description:
      'Names, beside steward, under which agents register /mcp/v1 as a tool server, comma separated: permission checks leave its tools to that door.',
  }),
  approvalInertArguments: setting.list('APPROVAL_INERT_ARGUMENTS', {
    check: requireInertArgument,
    description:
      'Arguments of built-in tools of agents that an approval does not depend on, beside those of docs/approvals.md: tool and argument like Bash:note, comma separated.',
  }),
  accessTokenMinutes: setting.integer('ACCESS_TOKEN_EXPIRE_MINUTES', {
    default: 60,
    min: 1,
    max: 1440,
    unit: 'minutes',
    description: 'Lifetime of an access token, judged by the moment it was issued: lowering it ends older tokens.',
  }),
  browserTokenMinutes: setting.integer('BROWSER_TOKEN_EXPIRE_MINUTES', {
    default: 10,
    min: 1,
    max: 1440,
    unit: 'minutes',
    description: 'Lifetime of an access token that the console is given; never above ACCESS_TOKEN_EXPIRE_MINUTES.',
  }),
  refreshTokenDays: setting.integer('REFRESH_TOKEN_EXPIRE_DAYS', {
    default: 7,
    min: 1,
    max: 90,
    unit: 'days',
    description: 'Lifetime of a refresh token; each is exchanged once for the next.',
  }),
  loginDays: setting.integer('LOGIN_EXPIRE_DAYS', {
    default: 30,
    min: 1,
    max: 365,
    unit: 'days',
    description: 'Lifetime of a login, however often its tokens are refreshed.',
  }),
  loginFailuresPerMinute: setting.integer('LOGIN_FAILURES_PER_MINUTE', {
    default: 10,
    min: 1,
    max: 1000,
    unit: 'attempts',
    description:
      'Failed logins per user and address (an IPv6 /64); five times as many per address, and per user from everywhere, before further ones are refused for a minute.',
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
    description:
      'Searches one process runs at a time, each on two database connections of its own; more wait. A hybrid search takes the place of two.',
  }),
  ...webhookSettings,
  backfillEnabled: backfillSettings.enabled,
  backfillIntervalSeconds: backfillSettings.intervalSeconds,
  backfillMaxRowsPerPass: backfillSettings.maxRowsPerPass,
  backfillMaxRowsPerAccount: backfillSettings.maxRowsPerAccount,
  backfillMaxAgeDays: backfillSettings.maxAgeDays,
} as const;

export type GatewaySettings = SettingsOf<typeof gatewaySettings>;
