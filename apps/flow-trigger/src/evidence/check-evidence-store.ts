import { StartupError } from '@steward/process';
import { StoreError, type ObjectStore } from '@steward/storage';

/**
 * One look at the store before work begins. Answers what is wrong with one that may come back by itself.
 * @throws StartupError when the store is there and refuses: a person has to change something
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
