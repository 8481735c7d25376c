import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';

/**
 * The commit does not wait until megabytes of the write-ahead log are on disk. If the server crashes, the last second
 * of commits may be lost, chunks and watermark together: the walk then repeats them.
 */
export async function commitWithoutFlush(trx: AnyTransaction): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}
