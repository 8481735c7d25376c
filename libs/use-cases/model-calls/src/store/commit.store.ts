import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { selectStoredUsage, type UsageRow } from '@steward/models';

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
 * entry. A server that crashed in between has lost the commit, and may be available again before this call: one row of
 * each commit is therefore looked up.
 *
 * @param rows - one usage row of each commit
 * @returns the ids of the rows whose commits are on disk
 */
export async function flushCommits(
  db: AnyDatabase,
  rows: readonly Pick<UsageRow, 'accountId' | 'id'>[],
): Promise<ReadonlySet<string>> {
  const flushed = await executePrepared(
    db,
    'model-calls.flush',
    sql<{ stored: string[] }>`
    select pg_logical_emit_message(true, 'steward', ''),
      array(select stored.id::text from (${selectStoredUsage(rows)}) stored) as stored`,
  );
  return new Set(flushed.rows[0]?.stored);
}
