import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/**
 * Moves what was inserted lately from the indexes' pending lists into the indexes proper. Every search reads the whole
 * list (about 4 ms per 1,000 chunks), so somebody has to; in the background it costs nobody's answer. Returns pages moved.
 */
export async function flushPendingChunks(db: AnyDatabase): Promise<number> {
  const result = await sql<{ flushed: number }>`select search.flush_pending_chunks() as flushed`.execute(db);
  return result.rows[0]?.flushed ?? 0;
}
