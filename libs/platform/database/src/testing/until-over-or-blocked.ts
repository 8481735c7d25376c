import { eventually } from '@steward/testing';
import type { Database } from '../create-database.ts';

const BLOCKED = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * Resolves when the work is finished, or when a session waits for a lock held by another one, which the test can then
 * release. The check runs on a connection without a transaction, in which the list of sessions would not change after
 * it was first read.
 */
export async function untilOverOrBlocked({ pool }: Pick<Database, 'pool'>, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  work.then(end, end);
  await eventually(async () => isOver || (await pool.query(BLOCKED)).rowCount !== 0);
}
