import { setting, type SettingsOf } from '@steward/process';
import { createS3Store, readS3Options, type ObjectStore } from '@steward/storage';

/** Settings of the scheduled export of the audit log (ACC-53). */
export const auditExportSettings = {
  auditExportIntervalSeconds: setting.integer('AUDIT_EXPORT_INTERVAL_SECONDS', {
    default: 3600,
    min: 10,
    max: 86_400,
    unit: 'seconds',
    description: 'Time between exports of the audit log to AUDIT_EXPORT_S3_ENDPOINT.',
  }),
  auditExportS3Endpoint: setting.text('AUDIT_EXPORT_S3_ENDPOINT', {
    description:
      'Address of an S3-compatible server, without the bucket, to which the sealed entries of the audit log of every account are exported; retention then removes only exported entries. Default: no export.',
  }),
  auditExportS3AllowHttp: setting.boolean('AUDIT_EXPORT_S3_ALLOW_HTTP', {
    default: false,
    description:
      'Allows http:// for AUDIT_EXPORT_S3_ENDPOINT on another machine; entries are then sent over the network unencrypted.',
  }),
  auditExportS3Bucket: setting.text('AUDIT_EXPORT_S3_BUCKET', {
    description: 'The bucket. It must exist, and only one deployment may write below AUDIT_EXPORT_S3_PREFIX.',
  }),
  auditExportS3Region: setting.text('AUDIT_EXPORT_S3_REGION', {
    default: 'us-east-1',
    description: 'Region used to sign requests; servers without regions use the default.',
  }),
  auditExportS3Prefix: setting.text('AUDIT_EXPORT_S3_PREFIX', {
    default: '',
    description: 'Prefix of the key of every exported object, for example steward/audit/.',
  }),
  auditExportS3AccessKeyId: setting.maskedText('AUDIT_EXPORT_S3_ACCESS_KEY_ID', {
    description:
      'Id of the access key. It needs the privileges to list, get and put below the prefix, and none to delete.',
  }),
  auditExportS3SecretAccessKey: setting.maskedText('AUDIT_EXPORT_S3_SECRET_ACCESS_KEY', {
    description: 'The secret of the access key.',
  }),
  auditExportS3SessionToken: setting.maskedText('AUDIT_EXPORT_S3_SESSION_TOKEN', {
    description: 'Session token, if the access key is temporary.',
  }),
  auditExportS3PathStyle: setting.boolean('AUDIT_EXPORT_S3_PATH_STYLE', {
    default: true,
    description:
      'Whether to put the bucket in the path (https://host/bucket/key); false puts it in the host name (https://bucket.host/key).',
  }),
  auditExportS3Encryption: setting.choice('AUDIT_EXPORT_S3_ENCRYPTION', ['bucket', 'AES256', 'aws:kms'], {
    default: 'bucket',
    description: 'Encryption requested from the server for every object; "bucket" uses the settings of the bucket.',
  }),
  auditExportS3TimeoutSeconds: setting.number('AUDIT_EXPORT_S3_TIMEOUT_SECONDS', {
    default: 10,
    min: 0.1,
    max: 300,
    unit: 'seconds',
    description: 'Time limit for the start of a response, and for each interruption of a transfer.',
  }),
} as const;

export type AuditExportSettings = SettingsOf<typeof auditExportSettings>;

/** The bucket of the export; undefined without an endpoint. @throws SettingsError with one line for each problem */
export function openExportBucket(settings: AuditExportSettings): ObjectStore | undefined {
  if (settings.auditExportS3Endpoint === undefined) return undefined;
  const values = {
    endpoint: settings.auditExportS3Endpoint,
    allowHttp: settings.auditExportS3AllowHttp,
    bucket: settings.auditExportS3Bucket,
    region: settings.auditExportS3Region,
    prefix: settings.auditExportS3Prefix,
    accessKeyId: settings.auditExportS3AccessKeyId,
    secretAccessKey: settings.auditExportS3SecretAccessKey,
    sessionToken: settings.auditExportS3SessionToken,
    pathStyle: settings.auditExportS3PathStyle,
    encryption: settings.auditExportS3Encryption,
    timeoutSeconds: settings.auditExportS3TimeoutSeconds,
  };
  const names = { variables: 'AUDIT_EXPORT_S3', neededBy: 'AUDIT_EXPORT_S3_ENDPOINT' };
  return createS3Store(readS3Options(values, names));
}

/** Values that must not appear in any log line. */
export function listAuditExportSecrets(settings: AuditExportSettings): string[] {
  const { auditExportS3SecretAccessKey: secret, auditExportS3SessionToken: token } = settings;
  return [secret, token].flatMap((one) => one ?? []);
}
