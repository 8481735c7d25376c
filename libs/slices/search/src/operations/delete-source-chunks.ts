import type { AnyTransaction } from '@steward/database';
import { deleteSources, type SourceKey } from '../store/chunk.store.ts';

/** Takes one source out of the corpus. */
export function deleteSourceChunks(trx: AnyTransaction, source: SourceKey): Promise<void> {
  return deleteSources(trx, [source]);
}
