import { newId } from '@steward/crypto';
import type { Database } from '@steward/database';
import { deleteInBatches, printRemovals } from './compare-removals.ts';
import { GROWING_KINDS } from './growing-kinds.ts';
import { measureWrites } from './measure-writes.ts';

const ROWS_PER_DELETE = 10_000;

/**
 * Removes the same number of usage rows in two ways: as the partition that they are in, and row by row in batches, from
 * a table with the same indexes.
 */
export async function compareUsageRemoval(database: Database, rows: number): Promise<void> {
  const { pool } = database;
  const usage = GROWING_KINDS.find(({ name }) => name === 'model calls');
  if (usage === undefined) throw new Error('no kind is called model calls');
  const { rows: parts } = await pool.query<{ name: string }>(
    'select partition_name::text as name from models.usage_partition_ends() order by ends_at limit 1',
  );
  const part = `models.${parts[0]?.name ?? ''}`;
  await pool.query('truncate models.usage');
  await pool.query('alter table models.usage disable trigger user');
  await pool.query(usage.insert, [newId(), rows]);
  await pool.query(`create table models.usage_rows (like ${part} including all)`);
  await pool.query(`insert into models.usage_rows select * from ${part}`);
  await pool.query(`vacuum (analyze) ${part}, models.usage_rows`);
  const results = [
    ['row by row', await measureWrites(database, () => deleteRows(database))],
    ['its vacuum', await measureWrites(database, () => pool.query('vacuum models.usage_rows'))],
    ['as a partition', await measureWrites(database, () => pool.query(`drop table ${part}`))],
  ] as const;
  printRemovals(`${rows} usage rows`, results);
}

/** Deletes the oldest rows of the account, a batch at a time, by the index that begins with the account and the time. */
function deleteRows(database: Database): Promise<void> {
  return deleteInBatches(
    database,
    `with account as (select account_id from models.usage_rows limit 1)
       delete from models.usage_rows where ctid in (
         select old.ctid from account join models.usage_rows old using (account_id) order by old.occurred_at, old.id limit ${ROWS_PER_DELETE})`,
  );
}
