import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';

/**
 * The commit does not wait until the write-ahead log is flushed to disk, which may be megabytes. If the server crashes,
 * the commits of the last second may be lost, both chunks and watermark: the walk then repeats this work.
 */
export async function commitWithoutFlush(trx: AnyTransaction): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}
