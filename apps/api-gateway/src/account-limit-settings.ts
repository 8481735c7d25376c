import { setting } from '@steward/process';

/**
 * Limits for each account and, in some cases, for each user or process: the rate of requests, how many keys, roles,
 * users and flows there may be, and how many requests may be open at a time (docs/reference/limits.md). The limits are
 * far above ordinary needs.
 */
export const accountLimitSettings = {
  accountRatePerMinute: setting.integer('ACCOUNT_RATE_PER_MINUTE', {
    default: 6000,
    min: 1,
    max: 10_000_000,
    unit: 'requests',
    description:
      'Maximum number of authenticated requests per account and minute, for all its users, keys and running agents together; further ones are refused with 429. Counted per gateway process.',
  }),
  accountMaxWaiting: setting.integer('ACCOUNT_MAX_WAITING', {
    default: 64,
    min: 1,
    max: 100_000,
    unit: 'requests',
    description:
      'Maximum number of open log streams and requests that wait for an execution or an approval, per account; one user or key can use at most three quarters of it. Further ones are refused with 429. Counted per gateway process.',
  }),
  processMaxWaiting: setting.integer('PROCESS_MAX_WAITING', {
    default: 1000,
    min: 1,
    max: 1_000_000,
    unit: 'requests',
    description:
      'Like ACCOUNT_MAX_WAITING, but for all accounts of one gateway process together; further ones are refused with 503.',
  }),
  accountMaxToolRequests: setting.integer('ACCOUNT_MAX_TOOL_REQUESTS', {
    default: 100,
    min: 1,
    max: 100_000,
    unit: 'requests',
    description:
      'Maximum number of open tool requests (/mcp/v1) per account; further ones are refused with 429. Counted per gateway process.',
  }),
  accountMaxModelCalls: setting.integer('ACCOUNT_MAX_MODEL_CALLS', {
    default: 2000,
    min: 1,
    max: 1_000_000,
    unit: 'calls',
    description:
      'Maximum number of open model calls per account, including streams; further ones are refused with 429. Counted per gateway process.',
  }),
  processMaxModelCalls: setting.integer('PROCESS_MAX_MODEL_CALLS', {
    default: 4000,
    min: 1,
    max: 1_000_000,
    unit: 'calls',
    description:
      'Like ACCOUNT_MAX_MODEL_CALLS, but for all accounts of one gateway process together; further ones are refused with 503. With 1,000 streams a process uses about 240 MB.',
  }),
  accountMaxApiKeys: setting.integer('ACCOUNT_MAX_API_KEYS', {
    default: 500,
    min: 1,
    max: 1_000_000,
    unit: 'keys',
    description: 'Maximum number of active API keys per account; further ones are refused with 409 quota_reached.',
  }),
  userMaxApiKeys: setting.integer('USER_MAX_API_KEYS', {
    default: 100,
    min: 1,
    max: 1_000_000,
    unit: 'keys',
    description:
      'Maximum number of active API keys per user, including those created with the user’s keys; further ones are refused with 409 quota_reached.',
  }),
  accountMaxRoles: setting.integer('ACCOUNT_MAX_ROLES', {
    default: 100,
    min: 1,
    max: 100_000,
    unit: 'roles',
    description: 'Maximum number of custom roles per account; further ones are refused with 409 quota_reached.',
  }),
  accountMaxUsers: setting.integer('ACCOUNT_MAX_USERS', {
    default: 1000,
    min: 1,
    max: 1_000_000,
    unit: 'users',
    description:
      'Maximum number of users per account, including deactivated ones; further ones are refused with 409 quota_reached.',
  }),
  accountMaxFlows: setting.integer('ACCOUNT_MAX_FLOWS', {
    default: 1000,
    min: 1,
    max: 1_000_000,
    unit: 'flows',
    description: 'Maximum number of flows per account; further ones are refused with 409 quota_reached.',
  }),
} as const;
