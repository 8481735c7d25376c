import { sql } from 'kysely';
import type { AnyDatabase } from './transact.ts';

/** The time of the server, by which rows of every process are stamped. */
export async function readDatabaseTime(db: AnyDatabase): Promise<Date> {
  const result = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = result.rows;
  if (row === undefined) throw new Error('the database did not return its time');
  return row.now;
}
