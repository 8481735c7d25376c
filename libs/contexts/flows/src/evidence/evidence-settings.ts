import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setting } from '@steward/process';
import { bucketSettings } from '@steward/storage';

/** Settings of every process that writes or serves evidence. */
export const evidenceSettings = {
  evidenceStore: setting.choice('EVIDENCE_STORE', ['folder', 's3'], {
    default: 'folder',
    description:
      'Where captured evidence is stored: in EVIDENCE_DIR, or in a bucket of an S3-compatible server (EVIDENCE_S3_...). The value must be the same for the gateway and the flow workers.',
  }),
  evidenceDirectory: setting.text('EVIDENCE_DIR', {
    default: resolve(tmpdir(), 'steward-evidence'),
    description: 'Folder for captured evidence, shared by gateway and flow workers; use a persistent volume.',
  }),
  ...bucketSettings('evidenceS3', 'EVIDENCE_S3', {
    endpoint: 'Address of the S3-compatible server, without the bucket: https://s3.eu-central-1.amazonaws.com.',
    sent: 'evidence is',
    bucket: 'The bucket. It must exist, and only Steward should write below EVIDENCE_S3_PREFIX.',
    prefix: 'Prefix of the key of every archive, for example steward/evidence/.',
    accessKeyId:
      'Id of the access key. It needs the privileges to list, get, put and delete below the prefix; the gateway needs only list and get.',
    object: 'archive',
  }),
} as const;
