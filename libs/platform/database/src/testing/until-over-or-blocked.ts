import { eventually } from '@steward/testing';
import type { Database } from '../create-database.ts';

const BLOCKED = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * Until the work is over, or somebody stands at a lock that somebody else holds: then whoever holds it may let go.
 * It is asked on a connection without a transaction: within one the list of sessions stays as it was first read.
 */
export async function untilOverOrBlocked({ pool }: Pick<Database, 'pool'>, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  work.then(end, end);
  await eventually(async () => isOver || (await pool.query(BLOCKED)).rowCount !== 0);
}
