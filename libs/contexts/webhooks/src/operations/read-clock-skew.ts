import type { Clock } from '@steward/async';
import { readDatabaseTime, type AnyDatabase } from '@steward/database';

/**
 * Returns the seconds by which this process's clock is ahead of the database's, accurate to half the duration of the
 * query. Signatures contain the process's time, and receivers reject a time that differs by more than 300 s.
 */
export async function readClockSkewSeconds(db: AnyDatabase, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const databaseNow = (await readDatabaseTime(db)).getTime();
  const after = clock.now().getTime();
  return ((before + after) / 2 - databaseNow) / 1000;
}
