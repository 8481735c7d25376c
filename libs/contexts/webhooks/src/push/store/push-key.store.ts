import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface StoredPushKey {
  readonly publicKey: string;
  readonly sealed: Buffer;
}

export async function findPushKey(db: AnyDatabase): Promise<StoredPushKey | undefined> {
  const { rows } = await sql<StoredPushKey>`
    select public_key as "publicKey", private_sealed as sealed from webhooks.push_key where id = 1
  `.execute(db);
  return rows[0];
}

/** Stores the key unless there is one: of several processes that start simultaneously, the first one stores its key. */
export async function insertPushKey(db: AnyDatabase, { publicKey, sealed }: StoredPushKey): Promise<void> {
  await sql`
    insert into webhooks.push_key (id, public_key, private_sealed) values (1, ${publicKey}, ${sealed})
    on conflict (id) do nothing
  `.execute(db);
}
