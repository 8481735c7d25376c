import { setting } from '@steward/process';

export const usageSettings = {
  usageRetentionDays: setting.retentionDays('USAGE_RETENTION_DAYS', {
    shortest: 35,
    description:
      'Age at which the usage rows of model calls are removed, always in whole months; 0 means never, otherwise at least 35. Charts and existing budgets keep their sums (docs/operate/scale.md).',
  }),
} as const;
