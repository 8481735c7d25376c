import { setting, type SettingsOf } from '@steward/process';
import { bucketSettings, listBucketSecrets, openBucket, type ObjectStore } from '@steward/storage';

/** Settings of the scheduled export of the audit log (ACC-53). */
export const auditExportSettings = {
  auditExportIntervalSeconds: setting.integer('AUDIT_EXPORT_INTERVAL_SECONDS', {
    default: 3600,
    min: 10,
    max: 86_400,
    unit: 'seconds',
    description: 'Time between exports of the audit log to AUDIT_EXPORT_S3_ENDPOINT.',
  }),
  ...bucketSettings('auditExportS3', 'AUDIT_EXPORT_S3', {
    endpoint:
      'Address of an S3-compatible server, without the bucket, to which the sealed entries of the audit log of every account are exported; retention then removes only exported entries. Default: no export.',
    sent: 'entries are',
    bucket: 'The bucket. It must exist, and only one deployment may write below AUDIT_EXPORT_S3_PREFIX.',
    prefix: 'Prefix of the key of every exported object, for example steward/audit/.',
    accessKeyId:
      'Id of the access key. It needs the privileges to list, read and write objects below the prefix, but not to delete them.',
    object: 'object',
  }),
} as const;

export type AuditExportSettings = SettingsOf<typeof auditExportSettings>;

/**
 * Opens the bucket of the export; returns undefined if no endpoint is set. @throws SettingsError with one line for each
 * problem
 */
export function openExportBucket(settings: AuditExportSettings): ObjectStore | undefined {
  if (settings.auditExportS3Endpoint === undefined) return undefined;
  return openBucket(settings, { key: 'auditExportS3', variables: 'AUDIT_EXPORT_S3' });
}

/** Returns the values that must not appear in any log line. */
export function listAuditExportSecrets(settings: AuditExportSettings): string[] {
  return listBucketSecrets(settings, 'auditExportS3');
}
