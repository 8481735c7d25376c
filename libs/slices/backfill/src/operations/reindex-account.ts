import { transact, type AnyDatabase } from '@steward/database';
import { indexChunksAnew } from '@steward/slice-search';
import type { WalkBudget } from '../walk-budget.ts';

export interface ReindexRequest {
  readonly accountId: string;
  readonly budget: WalkBudget;
  readonly signal: AbortSignal;
}

/** So few that nobody waits long for one of them. */
const CHUNKS_PER_TRANSACTION = 100;

/**
 * Makes the words of an account's chunks anew where an older version made them, newest first. Their texts and vectors stay, and
 * they are found by their old words until then. Needs no watermark, as masking anew; nor a lock, as another sweeper takes
 * other chunks. True when nothing is left.
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
