import type { AnyDatabase } from '@steward/database';
import type { Clock } from '@steward/runtime';
import { sql } from 'kysely';

/**
 * Seconds by which this process's clock is ahead of the database's, to within half of the time the question took. Signatures
 * carry the process's time and receivers refuse one that is 300 s off.
 */
export async function readClockSkewSeconds(db: AnyDatabase, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const result = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const after = clock.now().getTime();
  const databaseNow = result.rows[0]?.now.getTime() ?? Number.NaN;
  return ((before + after) / 2 - databaseNow) / 1000;
}
