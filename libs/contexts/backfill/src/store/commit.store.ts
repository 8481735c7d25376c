import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';

/**
 * Lets the transaction commit without waiting until the write-ahead log, which may be megabytes, is flushed to disk. If
 * the server crashes, the commits of the last second may be lost, with their chunks and their changes to the watermark;
 * the walk then repeats this work.
 */
export async function commitWithoutFlush(trx: AnyTransaction): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}
