import { setting } from '@steward/process';

/** What one account may have and ask for at a time (docs/limits.md). Far above what its people and agents need. */
export const accountLimitSettings = {
  accountRatePerMinute: setting.integer('ACCOUNT_RATE_PER_MINUTE', {
    default: 6000,
    min: 1,
    max: 10_000_000,
    unit: 'requests',
    description:
      'Authenticated requests per account and minute, of all its users, keys and running agents together, before further ones are refused with 429. Counted per gateway process.',
  }),
  accountMaxWaiting: setting.integer('ACCOUNT_MAX_WAITING', {
    default: 64,
    min: 1,
    max: 100_000,
    unit: 'requests',
    description:
      'Streams of logs and requests that wait for an execution or an approval one account may have open at a time, three quarters of them of one person or key; further ones are refused with 429. Counted per gateway process.',
  }),
  processMaxWaiting: setting.integer('PROCESS_MAX_WAITING', {
    default: 1000,
    min: 1,
    max: 1_000_000,
    unit: 'requests',
    description: 'As ACCOUNT_MAX_WAITING, of all accounts of one gateway process together; beyond it 503.',
  }),
  accountMaxToolRequests: setting.integer('ACCOUNT_MAX_TOOL_REQUESTS', {
    default: 100,
    min: 1,
    max: 100_000,
    unit: 'requests',
    description:
      'Requests of tools (/mcp/v1) one account may have open at a time; further ones are refused with 429. Counted per gateway process.',
  }),
  accountMaxModelCalls: setting.integer('ACCOUNT_MAX_MODEL_CALLS', {
    default: 2000,
    min: 1,
    max: 1_000_000,
    unit: 'calls',
    description:
      'Calls of models one account may have open at a time, streams included; further ones are refused with 429. Counted per gateway process.',
  }),
  processMaxModelCalls: setting.integer('PROCESS_MAX_MODEL_CALLS', {
    default: 4000,
    min: 1,
    max: 1_000_000,
    unit: 'calls',
    description:
      'As ACCOUNT_MAX_MODEL_CALLS, of all accounts of one gateway process together; beyond it 503. With 1,000 streams a process holds about 240 MB.',
  }),
  accountMaxApiKeys: setting.integer('ACCOUNT_MAX_API_KEYS', {
    default: 500,
    min: 1,
    max: 1_000_000,
    unit: 'keys',
    description: 'API keys of one account that work; beyond it making one is refused with 409 quota_reached.',
  }),
  userMaxApiKeys: setting.integer('USER_MAX_API_KEYS', {
    default: 100,
    min: 1,
    max: 1_000_000,
    unit: 'keys',
    description:
      'API keys of one user that work, those their keys made included; beyond it making one is refused with 409 quota_reached.',
  }),
  accountMaxRoles: setting.integer('ACCOUNT_MAX_ROLES', {
    default: 100,
    min: 1,
    max: 100_000,
    unit: 'roles',
    description: 'Custom roles of one account; beyond it 409 quota_reached.',
  }),
  accountMaxUsers: setting.integer('ACCOUNT_MAX_USERS', {
    default: 1000,
    min: 1,
    max: 1_000_000,
    unit: 'users',
    description: 'Users of one account, deactivated ones included; beyond it 409 quota_reached.',
  }),
  accountMaxFlows: setting.integer('ACCOUNT_MAX_FLOWS', {
    default: 1000,
    min: 1,
    max: 1_000_000,
    unit: 'flows',
    description: 'Flows of one account; beyond it 409 quota_reached.',
  }),
} as const;
