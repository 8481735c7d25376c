import type { AnyDatabase } from '@steward/database';
import { moveFacts } from '../store/roll-up.store.ts';

/** Each statement does a few hundred milliseconds of work. */
const BATCH = 5000;

/** Aggregates pending facts, until none is left. Any number of processes may do it at once. */
export async function rollUpFacts(db: AnyDatabase, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    const moved = await moveFacts(db, BATCH);
    total += moved;
    if (moved < BATCH || signal?.aborted === true) return total;
  }
}
