import { newId } from '@steward/crypto';
import type { Database } from '@steward/database';
import { retainExecutions } from '@steward/flows';
import { printRemovals } from './compare-removals.ts';
import { GROWING_KINDS } from './growing-kinds.ts';
import { measureWrites } from './measure-writes.ts';

/**
 * Removes the same number of executions without sessions in two ways: in batches, as the service does, and as a table of
 * their own, as a partition would be.
 */
export async function compareExecutionRemoval(database: Database, rows: number): Promise<void> {
  const { db, pool } = database;
  const executions = GROWING_KINDS.find(({ name }) => name === 'executions');
  if (executions === undefined) throw new Error('no kind is called executions');
  const accountId = newId();
  await pool.query(`insert into gateway.account (id, name) values ($1, 'bench')`, [accountId]);
  await pool.query(executions.insert, [accountId, rows]);
  await pool.query('create table flows.execution_part (like flows.execution including all)');
  await pool.query('insert into flows.execution_part select * from flows.execution where account_id = $1', [accountId]);
  await pool.query('vacuum (analyze) flows.execution, flows.execution_part');
  const { signal } = new AbortController();
  const results = [
    ['in batches', await measureWrites(database, () => retainExecutions(db, { days: 1, signal }))],
    ['its vacuum', await measureWrites(database, () => pool.query('vacuum flows.execution'))],
    ['as a partition', await measureWrites(database, () => pool.query('drop table flows.execution_part'))],
  ] as const;
  printRemovals(`${rows} executions`, results);
}
