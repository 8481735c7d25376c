import { readDatabaseTime, type AnyDatabase } from '@steward/database';

/**
 * Returns the time before which sessions are too old to be walked, according to the database's clock. Returns undefined
 * if there is no age limit (`maxAgeDays` is 0).
 */
export async function readHorizon(db: AnyDatabase, maxAgeDays: number): Promise<Date | undefined> {
  if (maxAgeDays === 0) return undefined;
  return new Date((await readDatabaseTime(db)).getTime() - maxAgeDays * 86_400_000);
}
