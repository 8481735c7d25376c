import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/**
 * Moves recent inserts from the pending lists of the GIN indexes into the indexes themselves. Every search reads the
 * whole pending list (about 4 ms per 1,000 chunks); moving its entries in the background delays no response. Returns
 * the number of pages moved.
 */
export async function flushPendingChunks(db: AnyDatabase): Promise<number> {
  const result = await sql<{ flushed: number }>`select search.flush_pending_chunks() as flushed`.execute(db);
  return result.rows[0]?.flushed ?? 0;
}
