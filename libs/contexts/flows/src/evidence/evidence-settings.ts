import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setting } from '@steward/process';

/** Settings of every process that writes or serves evidence. */
export const evidenceSettings = {
  evidenceStore: setting.choice('EVIDENCE_STORE', ['folder', 's3'], {
    default: 'folder',
    description:
      'Where captured evidence is stored: in EVIDENCE_DIR, or in a bucket of an S3-compatible server (EVIDENCE_S3_...). The same for the gateway and the flow workers.',
  }),
  evidenceDirectory: setting.text('EVIDENCE_DIR', {
    default: resolve(tmpdir(), 'steward-evidence'),
    description: 'Folder for captured evidence, shared by gateway and flow workers; use a persistent volume.',
  }),
  evidenceS3Endpoint: setting.text('EVIDENCE_S3_ENDPOINT', {
    description: 'Address of the S3-compatible server, without the bucket: https://s3.eu-central-1.amazonaws.com.',
  }),
  evidenceS3AllowHttp: setting.boolean('EVIDENCE_S3_ALLOW_HTTP', {
    default: false,
    description:
      'Allows http:// for EVIDENCE_S3_ENDPOINT on another machine; evidence is then sent over the network unencrypted.',
  }),
  evidenceS3Bucket: setting.text('EVIDENCE_S3_BUCKET', {
    description: 'The bucket. It must exist, and only Steward should write below EVIDENCE_S3_PREFIX.',
  }),
  evidenceS3Region: setting.text('EVIDENCE_S3_REGION', {
    default: 'us-east-1',
    description: 'Region used to sign requests; servers without regions use the default.',
  }),
  evidenceS3Prefix: setting.text('EVIDENCE_S3_PREFIX', {
    default: '',
    description: 'Prefix of the key of every archive, for example steward/evidence/.',
  }),
  evidenceS3AccessKeyId: setting.maskedText('EVIDENCE_S3_ACCESS_KEY_ID', {
    description:
      'Id of the access key. It needs the privileges to list, get, put and delete below the prefix; the gateway needs only list and get.',
  }),
  evidenceS3SecretAccessKey: setting.maskedText('EVIDENCE_S3_SECRET_ACCESS_KEY', {
    description: 'The secret of the access key.',
  }),
  evidenceS3SessionToken: setting.maskedText('EVIDENCE_S3_SESSION_TOKEN', {
    description: 'Session token, if the access key is temporary.',
  }),
  evidenceS3PathStyle: setting.boolean('EVIDENCE_S3_PATH_STYLE', {
    default: true,
    description:
      'Whether to put the bucket in the path (https://host/bucket/key); false puts it in the host name (https://bucket.host/key).',
  }),
  evidenceS3Encryption: setting.choice('EVIDENCE_S3_ENCRYPTION', ['bucket', 'AES256', 'aws:kms'], {
    default: 'bucket',
    description: 'Encryption requested from the server for every archive; "bucket" uses the settings of the bucket.',
  }),
  evidenceS3TimeoutSeconds: setting.number('EVIDENCE_S3_TIMEOUT_SECONDS', {
    default: 10,
    min: 0.1,
    max: 300,
    unit: 'seconds',
    description: 'Time limit for the start of a response, and for each interruption of a transfer.',
  }),
} as const;
