import { transact, type AnyDatabase } from '@steward/database';
import { indexChunksAnew } from '@steward/search';
import type { WalkBudget } from '../walk-budget.ts';

export interface ReindexRequest {
  readonly accountId: string;
  readonly budget: WalkBudget;
  readonly signal: AbortSignal;
}

/** Number of chunks per transaction: small enough that no other writer waits long. */
const CHUNKS_PER_TRANSACTION = 100;

/**
 * Rebuilds the index words of those chunks of an account that an older version wrote, newest first. Texts and vectors
 * are retained, and the old words of a chunk remain searchable until it is rebuilt. Needs no watermark, because rebuilt
 * chunks are no longer found, and no lock, because concurrent sweepers process different chunks. Returns true if
 * nothing is left, except chunks that other transactions have locked.
 */
export async function reindexAccount(deps: { readonly db: AnyDatabase }, request: ReindexRequest): Promise<boolean> {
  const { accountId, budget, signal } = request;
  for (;;) {
    if (signal.aborted || budget.exhausted() !== undefined) return false;
    const limit = Math.min(CHUNKS_PER_TRANSACTION, budget.left());
    const indexed = await transact(deps, (trx) => indexChunksAnew(trx, { accountId, limit }));
    budget.spend(indexed);
    if (indexed < limit) return true;
  }
}
