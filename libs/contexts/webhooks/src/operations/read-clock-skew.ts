import type { Clock } from '@steward/async';
import { readDatabaseTime, type AnyDatabase } from '@steward/database';

/**
 * Seconds by which this process's clock is ahead of the database's, to within half of the query time. Signatures
 * contain the process's time, and receivers refuse a time that is off by 300 s.
 */
export async function readClockSkewSeconds(db: AnyDatabase, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const databaseNow = (await readDatabaseTime(db)).getTime();
  const after = clock.now().getTime();
  return ((before + after) / 2 - databaseNow) / 1000;
}
