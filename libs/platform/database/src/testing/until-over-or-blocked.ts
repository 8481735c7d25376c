import { eventually } from '@steward/testing';
import type { Database } from '../create-database.ts';

const BLOCKED = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * Resolves when the work is over, or when a session waits for a lock that another one holds, which can then release it.
 * The check runs on a connection without a transaction: within one, the list of sessions would stay as first read.
 */
export async function untilOverOrBlocked({ pool }: Pick<Database, 'pool'>, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  work.then(end, end);
  await eventually(async () => isOver || (await pool.query(BLOCKED)).rowCount !== 0);
}
