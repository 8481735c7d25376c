import type { AnyDatabase } from '@steward/database';
import { moveFacts } from '../store/roll-up.store.ts';

/** Maximum number of facts per statement: a few hundred milliseconds of work. */
const BATCH = 5000;

/**
 * Aggregates pending facts until none is left or `signal` is aborted, and returns the number of facts that it has
 * aggregated. Any number of processes may run it at the same time.
 */
export async function rollUpFacts(db: AnyDatabase, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    const moved = await moveFacts(db, BATCH);
    total += moved;
    if (moved < BATCH || signal?.aborted === true) return total;
  }
}
