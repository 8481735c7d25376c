import type { SettingsOf } from '@steward/process';
import { createFolderStore, createS3Store, readS3Options, type ObjectStore } from '@steward/storage';
import type { evidenceSettings } from './evidence-settings.ts';

export type EvidenceSettings = SettingsOf<typeof evidenceSettings>;

export interface EvidenceStores {
  /** Store for new evidence. */
  readonly current: ObjectStore;
  /**
   * All stores that may contain evidence, including the local store that was used before `EVIDENCE_STORE` was changed
   * to s3.
   */
  readonly all: readonly ObjectStore[];
}

/** Creates the stores according to the settings. @throws SettingsError with one line for each invalid setting */
export function createEvidenceStores(settings: EvidenceSettings): EvidenceStores {
  const folder = createFolderStore(settings.evidenceDirectory);
  if (settings.evidenceStore === 'folder') return { current: folder, all: [folder] };
  const values = {
    endpoint: settings.evidenceS3Endpoint,
    allowHttp: settings.evidenceS3AllowHttp,
    bucket: settings.evidenceS3Bucket,
    region: settings.evidenceS3Region,
    prefix: settings.evidenceS3Prefix,
    accessKeyId: settings.evidenceS3AccessKeyId,
    secretAccessKey: settings.evidenceS3SecretAccessKey,
    sessionToken: settings.evidenceS3SessionToken,
    pathStyle: settings.evidenceS3PathStyle,
    encryption: settings.evidenceS3Encryption,
    timeoutSeconds: settings.evidenceS3TimeoutSeconds,
  };
  const names = { variables: 'EVIDENCE_S3', neededBy: 'EVIDENCE_STORE=s3' };
  const bucket = createS3Store(readS3Options(values, names));
  return { current: bucket, all: [bucket, folder] };
}

/** Returns the values that must not appear in any log line. */
export function listEvidenceSecrets(settings: EvidenceSettings): string[] {
  return [settings.evidenceS3SecretAccessKey, settings.evidenceS3SessionToken].flatMap((secret) => secret ?? []);
}
