import { readDatabaseTime, type AnyDatabase } from '@steward/database';

/**
 * Sessions that started before this time are not walked, by the database's clock. Undefined without an age bound (0).
 */
export async function readHorizon(db: AnyDatabase, maxAgeDays: number): Promise<Date | undefined> {
  if (maxAgeDays === 0) return undefined;
  return new Date((await readDatabaseTime(db)).getTime() - maxAgeDays * 86_400_000);
}
