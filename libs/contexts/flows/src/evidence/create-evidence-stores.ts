import type { SettingsOf } from '@steward/process';
import { createFolderStore, listBucketSecrets, openBucket, type ObjectStore } from '@steward/storage';
import type { evidenceSettings } from './evidence-settings.ts';

export type EvidenceSettings = SettingsOf<typeof evidenceSettings>;

export interface EvidenceStores {
  /** Store for new evidence. */
  readonly current: ObjectStore;
  /**
   * All stores from which evidence is read: the current store and, with `EVIDENCE_STORE=s3`, also the folder, which may
   * have been used before.
   */
  readonly all: readonly ObjectStore[];
}

/** Creates the stores according to the settings. @throws SettingsError with one line for each invalid setting */
export function createEvidenceStores(settings: EvidenceSettings): EvidenceStores {
  const folder = createFolderStore(settings.evidenceDirectory);
  if (settings.evidenceStore === 'folder') return { current: folder, all: [folder] };
  const names = { key: 'evidenceS3', variables: 'EVIDENCE_S3', neededBy: 'EVIDENCE_STORE=s3' } as const;
  const bucket = openBucket(settings, names);
  return { current: bucket, all: [bucket, folder] };
}

/** Returns the values that must not appear in any log line. */
export function listEvidenceSecrets(settings: EvidenceSettings): string[] {
  return listBucketSecrets(settings, 'evidenceS3');
}
