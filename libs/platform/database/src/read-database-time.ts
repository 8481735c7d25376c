import { sql } from 'kysely';
import type { AnyDatabase } from './transact.ts';

/** Returns the time of the database server, whose clock is used for the timestamps of all processes' rows. */
export async function readDatabaseTime(db: AnyDatabase): Promise<Date> {
  const result = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = result.rows;
  if (row === undefined) throw new Error('the database did not return its time');
  return row.now;
}
