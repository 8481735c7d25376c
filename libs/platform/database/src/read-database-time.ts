import { sql } from 'kysely';
import type { AnyDatabase } from './transact.ts';

/** Time of the database server, which timestamps the rows of every process. */
export async function readDatabaseTime(db: AnyDatabase): Promise<Date> {
  const result = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = result.rows;
  if (row === undefined) throw new Error('the database did not return its time');
  return row.now;
}
