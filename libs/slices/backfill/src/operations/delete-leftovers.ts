import type { AnyDatabase } from '@steward/database';
import { listAccountIds } from '@steward/slice-identity';
import { deleteCorpus } from '@steward/slice-search';
import { listWalkedAccountIds } from '../store/watermark.store.ts';

const ROWS_PER_STATEMENT = 1000;

/**
 * Takes away what a walk had under way when its account was deleted: its transaction was committed after the rest was gone. The
 * watermark tells of it, which is kept with the chunks.
 */
export async function deleteLeftovers(db: AnyDatabase, signal: AbortSignal): Promise<void> {
  // In this order: an account that is made meanwhile is not among the walked ones.
  const walked = await listWalkedAccountIds(db);
  const present = new Set(await listAccountIds(db));
  for (const accountId of walked.filter((id) => !present.has(id)))
    await deleteCorpus(db, { accountId, batchSize: ROWS_PER_STATEMENT, signal });
}
