import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';

/**
 * The commit does not wait until megabytes of log are on disk. A server that crashes may forget the last second of
 * them, chunks and watermark together: they are walked again.
 */
export async function commitWithoutFlush(trx: AnyTransaction): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}
