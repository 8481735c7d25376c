import { EDITIONS } from '@steward/contracts';
import { requireTrustedProxy } from '@steward/http';
import { baseSettings, keyLostSetting, setting, type SettingsOf } from '@steward/process';
import { requireInertArgument } from '@steward/approvals';
import { backfillSettings } from '@steward/backfill';
import { evidenceSettings } from '@steward/flows';
import { modelSettings } from '@steward/models';
import { embeddingSettings, indexSettings, semanticSettings } from '@steward/search';
import { contentBucketSettings, contentSettings } from '@steward/sessions';
import { statsSettings } from '@steward/stats';
import { toolServerSettings } from '@steward/tool-servers';
import { trackerSettings } from '@steward/trackers';
import { outboxSettings, webhookSettings } from '@steward/webhooks';
import { requireServerName } from '@steward/agents-api';
import { auditSettings } from '@steward/audit-api';
import { executionSettings } from '@steward/flows-api';
import { usageSettings } from '@steward/models-api';
import { accountLimitSettings } from './account-limit-settings.ts';
import { requireAccountId } from './operator-accounts.ts';
import { replicaSettings } from './replica-settings.ts';
import { DEFAULT_PUBLIC_URL } from '@steward/api';

/**
 * Settings of the gateway process. They are read once at startup; `docs/reference/configuration.md` is generated from
 * these settings and those of the other apps.
 */
export const gatewaySettings = {
  ...baseSettings,
  ...replicaSettings,
  ...contentSettings,
  ...contentBucketSettings,
  ...indexSettings,
  ...embeddingSettings,
  ...semanticSettings,
  ...modelSettings,
  ...toolServerSettings,
  ...trackerSettings,
  ...statsSettings,
  ...auditSettings,
  ...usageSettings,
  ...executionSettings,
  ...outboxSettings,
  ...evidenceSettings,
  ...accountLimitSettings,
  serviceRole: setting.choice('SERVICE_ROLE', ['all', 'api', 'gateway'], {
    default: 'all',
    description: 'Parts of the service that this process provides: the API, the model gateway, or both.',
  }),
  processes: setting.integer('GATEWAY_PROCESSES', {
    default: 1,
    min: 1,
    max: 64,
    unit: 'processes',
    description:
      'Number of processes behind the port of this gateway on one machine, for machines with more than two cores. If above 1, a parent process starts, monitors and restarts them, and serves HEALTH_PORT for all of them. DATABASE_POOL_SIZE and all limits per gateway process apply to each of them.',
  }),
  callerReuseEnabled: setting.boolean('CALLER_REUSE_ENABLED', {
    default: true,
    description:
      'Whether model calls, tool calls and permission checks with an API key may use what this process has read about the key for an earlier request, as long as that has not changed. If false, every request reads it from the database. With either value, a change applies to all later requests.',
  }),
  edition: setting.choice('SERVICE_EDITION', EDITIONS, {
    default: 'oss',
    description: 'Edition of the deployment; cloud behaves like oss.',
  }),
  agentDiscoveryEnabled: setting.boolean('AGENT_DISCOVERY_ENABLED', {
    default: true,
    description: 'Allows accounts to accept agent reports from workstations.',
  }),
  host: setting.text('HOST', { default: '0.0.0.0', description: 'Address the API binds to.' }),
  port: setting.port('PORT', { default: 8000, description: 'Port of the API.' }),
  healthPort: setting.port('HEALTH_PORT', {
    description:
      'Port for /metrics, /livez and /readyz (and a second /api/v1/health) of this process. If not set, they are not served.',
  }),
  consoleDirectory: setting.text('CONSOLE_DIR', {
    description:
      'Folder of the built web console; default: `console` next to the bundle of this process. If the folder does not exist, the console is not served.',
  }),
  warmUpSeconds: setting.integer('WARM_UP_SECONDS', {
    default: 3,
    min: 0,
    max: 10,
    unit: 'seconds',
    description:
      'Time that the process may spend, before its port opens, on opening its database connections and on internal requests that write nothing, so that its first requests are not slow. 0 disables it.',
  }),
  drainSeconds: setting.integer('SHUTDOWN_DRAIN_SECONDS', {
    default: 0,
    min: 0,
    max: 300,
    unit: 'seconds',
    description:
      'How long the port stays open after SIGTERM while /readyz already returns 503, so that load balancers stop sending requests first. In Kubernetes: 5 or more.',
  }),
  secretKey: setting.secret('SECRET_KEY', {
    minLength: 32,
    description:
      'Signs access tokens and encrypts stored secrets; all other keys are derived from it. It must be the same on every gateway and must not be available to any other app. To change it, see docs/operate/keys.md.',
  }),
  previousSecretKeys: setting.secretList('SECRET_KEY_PREVIOUS', {
    minLength: 32,
    description:
      'Previous values of SECRET_KEY whose tokens and stored secrets are still accepted, comma separated; set while SECRET_KEY is rotated.',
  }),
  secretKeyLost: keyLostSetting,
  trustedProxies: setting.list('TRUSTED_PROXIES', {
    check: requireTrustedProxy,
    description: 'Addresses or networks of trusted proxies, whose X-Forwarded-For header is used, comma separated.',
  }),
  registrationEnabled: setting.choice('REGISTRATION_ENABLED', ['true', 'first', 'false'], {
    default: 'first',
    description:
      'Who may create an account: anyone (true), only the first user of an empty deployment (first), nobody (false).',
  }),
  registrationRatePerMinute: setting.integer('REGISTRATION_RATE_PER_MINUTE', {
    default: 10,
    min: 1,
    max: 1_000_000,
    unit: 'registrations',
    description:
      'Maximum number of registrations per minute and IP address (for IPv6, per /64 network); further ones are refused with 429. Counted per gateway process.',
  }),
  operatorAccounts: setting.list('OPERATOR_ACCOUNTS', {
    check: requireAccountId,
    description:
      'Ids of the accounts whose user administrators may read the health of this deployment, comma separated. If not set, the user administrators of a deployment with a single account may read it, and nobody in a deployment with several.',
  }),
  invitationDays: setting.integer('INVITATION_EXPIRE_DAYS', {
    default: 7,
    min: 1,
    max: 90,
    unit: 'days',
    description: 'How long a user who has no password yet can accept an invitation.',
  }),
  publicUrl: setting.webUrl('PUBLIC_URL', {
    default: DEFAULT_PUBLIC_URL,
    description:
      'Public URL of this deployment. Invitation links begin with this URL; session links also do, if the URL is not the default.',
  }),
  mailFrom: setting.text('MAIL_FROM', {
    description:
      'Sender address of mail to approvers; if not set, no mail is sent. The dispatcher sends it through SMTP_URL, and its links begin with PUBLIC_URL.',
  }),
  mcpServerNames: setting.list('MCP_DOOR_NAMES', {
    check: requireServerName,
    description:
      'Names, in addition to steward, under which agents register /mcp/v1 as a tool server, comma separated. Permission checks allow the tools of such a server, because the MCP endpoint decides on these calls itself.',
  }),
  approvalInertArguments: setting.list('APPROVAL_INERT_ARGUMENTS', {
    check: requireInertArgument,
    description:
      'Arguments of built-in agent tools that an approval does not depend on, in addition to those in docs/use/approvals.md: tool and argument, such as Bash:note, comma separated.',
  }),
  accessTokenMinutes: setting.integer('ACCESS_TOKEN_EXPIRE_MINUTES', {
    default: 60,
    min: 1,
    max: 1440,
    unit: 'minutes',
    description:
      'Lifetime of an access token, counted from its issue; lowering it also affects tokens that were already issued.',
  }),
  browserTokenMinutes: setting.integer('BROWSER_TOKEN_EXPIRE_MINUTES', {
    default: 10,
    min: 1,
    max: 1440,
    unit: 'minutes',
    description: 'Lifetime of an access token issued to the console; never above ACCESS_TOKEN_EXPIRE_MINUTES.',
  }),
  refreshTokenDays: setting.integer('REFRESH_TOKEN_EXPIRE_DAYS', {
    default: 7,
    min: 1,
    max: 90,
    unit: 'days',
    description: 'Lifetime of a refresh token; each can be exchanged once.',
  }),
  loginDays: setting.integer('LOGIN_EXPIRE_DAYS', {
    default: 30,
    min: 1,
    max: 365,
    unit: 'days',
    description: 'Maximum lifetime of a login, however often its tokens are refreshed.',
  }),
  loginFailuresPerMinute: setting.integer('LOGIN_FAILURES_PER_MINUTE', {
    default: 10,
    min: 1,
    max: 1000,
    unit: 'attempts',
    description:
      'Maximum number of failed logins per user and IP address (for IPv6, per /64 network); five times as many are accepted per address, and per user from all addresses. Further attempts are refused for a minute.',
  }),
  flowTriggerRatePerMinute: setting.integer('FLOW_TRIGGER_RATE_PER_MINUTE', {
    default: 120,
    min: 1,
    max: 10_000_000,
    unit: 'triggers',
    description:
      'Maximum number of triggers per flow and minute; five times as many are accepted per address. Further ones are refused with 429. Triggers with a wrong secret or for an unknown flow have a separate limit of the same size per address. Counted per gateway process.',
  }),
  sessionIdleTimeoutMinutes: setting.integer('RUNTIME_SESSION_IDLE_TIMEOUT_MINUTES', {
    default: 720,
    min: 0,
    max: 525_600,
    unit: 'minutes',
    description: 'Sessions without activity for this long end with reason idle; 0 means never.',
  }),
  searchTimeoutMs: setting.integer('SESSION_SEARCH_TIMEOUT_MS', {
    default: 5000,
    min: 50,
    max: 60_000,
    unit: 'milliseconds',
    description: 'Time limit of one search, after which the database statement is cancelled.',
  }),
  searchMaxConcurrent: setting.integer('SESSION_SEARCH_MAX_CONCURRENT', {
    default: 8,
    min: 1,
    max: 200,
    unit: 'searches',
    description:
      'Maximum number of searches that one process runs at a time, each on two separate database connections; further ones wait. A hybrid search counts as two.',
  }),
  ...webhookSettings,
  backfillEnabled: backfillSettings.enabled,
  backfillIntervalSeconds: backfillSettings.intervalSeconds,
  backfillMaxRowsPerPass: backfillSettings.maxRowsPerPass,
  backfillMaxRowsPerAccount: backfillSettings.maxRowsPerAccount,
  backfillMaxAgeDays: backfillSettings.maxAgeDays,
} as const;

export type GatewaySettings = SettingsOf<typeof gatewaySettings>;
