import { setting } from '@steward/process';
import { auditExportSettings } from './audit-export-settings.ts';

export const auditSettings = {
  auditRetentionDays: setting.retentionDays('AUDIT_RETENTION_DAYS', {
    shortest: 30,
    description:
      'Age at which entries of the audit log are removed, always in whole seals; 0 means never, otherwise at least 30. Export them first (steward audit export).',
  }),
  ...auditExportSettings,
} as const;
