import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setting } from '@steward/process';

/** Settings of every process that writes or serves evidence. */
export const evidenceSettings = {
  evidenceStore: setting.choice('EVIDENCE_STORE', ['folder', 's3'], {
    default: 'folder',
    description:
      'Where captured evidence is kept: in EVIDENCE_DIR, or in a bucket of an S3-compatible server (EVIDENCE_S3_...). The same for the gateway and the flow workers.',
  }),
  evidenceDirectory: setting.text('EVIDENCE_DIR', {
    default: resolve(tmpdir(), 'steward-evidence'),
    description: 'Folder of captured evidence. Gateway and flow workers share it; give it a lasting volume.',
  }),
  evidenceS3Endpoint: setting.text('EVIDENCE_S3_ENDPOINT', {
    description: 'Address of the S3-compatible server, without the bucket: https://s3.eu-central-1.amazonaws.com.',
  }),
  evidenceS3AllowHttp: setting.boolean('EVIDENCE_S3_ALLOW_HTTP', {
    default: false,
    description:
      'Lets EVIDENCE_S3_ENDPOINT be http:// beyond this machine: evidence then passes the network in the open.',
  }),
  evidenceS3Bucket: setting.text('EVIDENCE_S3_BUCKET', {
    description: 'The bucket. It has to exist; nobody but Steward should write below EVIDENCE_S3_PREFIX.',
  }),
  evidenceS3Region: setting.text('EVIDENCE_S3_REGION', {
    default: 'us-east-1',
    description: 'Region requests are signed for; servers without regions take the default.',
  }),
  evidenceS3Prefix: setting.text('EVIDENCE_S3_PREFIX', {
    default: '',
    description: 'Stands before the key of every archive, for example steward/evidence/.',
  }),
  evidenceS3AccessKeyId: setting.maskedText('EVIDENCE_S3_ACCESS_KEY_ID', {
    description:
      'Id of the access key. It may list, get, put and delete below the prefix; for the gateway list and get do.',
  }),
  evidenceS3SecretAccessKey: setting.maskedText('EVIDENCE_S3_SECRET_ACCESS_KEY', {
    description: 'The secret of the access key.',
  }),
  evidenceS3SessionToken: setting.maskedText('EVIDENCE_S3_SESSION_TOKEN', {
    description: 'Session token, when the access key is a temporary one.',
  }),
  evidenceS3PathStyle: setting.boolean('EVIDENCE_S3_PATH_STYLE', {
    default: true,
    description:
      'Names the bucket in the path (https://host/bucket/key); false names it in the host (https://bucket.host/key).',
  }),
  evidenceS3Encryption: setting.choice('EVIDENCE_S3_ENCRYPTION', ['bucket', 'AES256', 'aws:kms'], {
    default: 'bucket',
    description: 'Encryption asked of the server for every archive; "bucket" leaves it to the settings of the bucket.',
  }),
  evidenceS3TimeoutSeconds: setting.number('EVIDENCE_S3_TIMEOUT_SECONDS', {
    default: 10,
    min: 0.1,
    max: 300,
    unit: 'seconds',
    description: 'How long an answer of the server may take to begin, and how long a transfer may stand still.',
  }),
} as const;
