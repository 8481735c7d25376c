import { readDatabaseTime, type AnyDatabase } from '@steward/database';

/**
 * Returns the start of the age limit, according to the database's clock: sessions that started before this time are
 * not walked. Returns undefined without an age limit (0).
 */
export async function readHorizon(db: AnyDatabase, maxAgeDays: number): Promise<Date | undefined> {
  if (maxAgeDays === 0) return undefined;
  return new Date((await readDatabaseTime(db)).getTime() - maxAgeDays * 86_400_000);
}
