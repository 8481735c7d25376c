import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

/**
 * The transaction's commit is not waited for until it is on disk: whoever waits for its locks would wait for that, too, and a
 * hot account's calls stand in line. What must not be lost is followed by `flushCommits`.
 */
export async function commitAtOnce(trx: AnyTransaction): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(trx);
}

/** Resolves when everything that was committed before is on disk: the log is written in order, and this is an entry of its own. */
export async function flushCommits(db: AnyDatabase): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'steward', '')`.execute(db);
}
