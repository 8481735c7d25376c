import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Returns the sealed key of an account's objects; undefined if it has none yet. */
export async function findContentKey(db: AnyDatabase, accountId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select key_sealed as sealed from gateway.content_key where account_id = ${accountId}
  `.execute(db);
  return rows[0]?.sealed;
}

/** Stores the key of an account's objects, unless it already has one. */
export async function insertContentKey(db: AnyDatabase, accountId: string, sealed: Buffer): Promise<void> {
  await sql`
    insert into gateway.content_key (account_id, key_sealed) values (${accountId}, ${sealed}) on conflict do nothing
  `.execute(db);
}
