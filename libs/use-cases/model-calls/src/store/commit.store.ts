import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { selectStoredUsage, type UsageRow } from '@steward/models';

/**
 * Turns off synchronous commit for the transaction, so that its locks are released without waiting for the disk;
 * otherwise the calls of a busy account would queue up. If the data must not be lost, call `flushCommits` afterwards.
 */
export async function commitAtOnce(trx: AnyTransaction): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(trx);
}

/**
 * Waits until everything committed earlier is on disk: the write-ahead log is written in order, and this statement adds
 * an entry to it. If the server crashed in between, it may have lost commits, and may already be available again;
 * therefore, one row of each commit is looked up.
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
