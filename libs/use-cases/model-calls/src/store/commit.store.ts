import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';

/**
 * Makes the commit of the transaction not wait for the disk: otherwise all callers that wait for its locks would also
 * have to wait for the disk, and the calls of a busy account would queue up. If the data must not be lost,
 * `flushCommits` follows.
 */
export async function commitAtOnce(trx: AnyTransaction): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(trx);
}

/**
 * Resolves when everything committed earlier is on disk: the log is written in order, and this call writes a separate
 * entry.
 */
export async function flushCommits(db: AnyDatabase): Promise<void> {
  await executePrepared(db, 'model-calls.flush', sql`select pg_logical_emit_message(true, 'steward', '')`);
}
