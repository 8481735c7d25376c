import { StartupError } from '@steward/process';
import { StoreError, type ObjectStore } from '@steward/storage';

/**
 * Checks the store once, at startup. Returns the error if the store may recover by itself.
 * @throws StartupError if the store is available but refuses access, which requires manual intervention
 */
export async function checkEvidenceStore(store: Pick<ObjectStore, 'check'>): Promise<StoreError | undefined> {
  try {
    await store.check();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.kind === 'unreachable') return error;
    throw new StartupError(`EVIDENCE_STORE=s3: ${error.message}; check the EVIDENCE_S3_... settings`, { cause: error });
  }
}
