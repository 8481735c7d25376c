import type { Kysely } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { IdentityDatabase } from '../schema.ts';

/** Ids of all accounts, oldest first. */
export async function listAccountIds(db: AnyDatabase): Promise<string[]> {
  const rows = await (db as unknown as Kysely<IdentityDatabase>)
    .selectFrom('gateway.account')
    .select('id')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}
