import { setting, type Setting } from '@steward/process';
import { auditExportSettings } from './audit-export-settings.ts';

const SHORTEST_DAYS = 30;
const days = setting.integer('AUDIT_RETENTION_DAYS', {
  default: 0,
  min: 0,
  max: 36_500,
  unit: 'days',
  description:
    'Age at which entries of the audit log are removed, always in whole seals; 0 means never, otherwise at least 30. Export them first (steward audit export).',
});

const retentionDays: Setting<number> = {
  ...days,
  allowed: `0, ${SHORTEST_DAYS} to 36500 days`,
  parse(text) {
    const value = days.parse(text);
    if (value > 0 && value < SHORTEST_DAYS) throw new Error(`must be 0, or ${SHORTEST_DAYS} or more`);
    return value;
  },
};

export const auditSettings = { auditRetentionDays: retentionDays, ...auditExportSettings } as const;
