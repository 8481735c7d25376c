import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

/**
 * Returns whether discovery is enabled; false for an account without a setting. With `lock`, the setting cannot change
 * until the transaction ends.
 */
export async function isDiscoveryEnabled(
  db: AnyDatabase,
  accountId: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<boolean> {
  const { rows } = await sql<{ is_enabled: boolean }>`
    select is_enabled from agents.discovery_setting where account_id = ${accountId} ${lock ? sql`for share` : sql``}
  `.execute(db);
  return rows[0]?.is_enabled ?? false;
}

interface SettingChange {
  readonly accountId: string;
  /** Used if the account does not have a salt yet. */
  readonly salt: Buffer;
  readonly now: Date;
}

export async function setDiscoveryEnabled(
  trx: AnyTransaction,
  { accountId, salt, now, isEnabled }: SettingChange & { readonly isEnabled: boolean },
): Promise<void> {
  await sql`
    insert into agents.discovery_setting (account_id, is_enabled, salt, updated_at)
    values (${accountId}, ${isEnabled}, ${salt}, ${now})
    on conflict (account_id) do update set is_enabled = excluded.is_enabled, updated_at = excluded.updated_at
  `.execute(trx);
}

/** Returns the permanent salt of the account; if several first requests are concurrent, one of them sets it. */
export async function findOrInsertSalt(db: AnyDatabase, { accountId, salt, now }: SettingChange): Promise<Buffer> {
  await sql`
    insert into agents.discovery_setting (account_id, salt, updated_at) values (${accountId}, ${salt}, ${now})
    on conflict (account_id) do nothing
  `.execute(db);
  const { rows } = await sql<{ salt: Buffer }>`
    select salt from agents.discovery_setting where account_id = ${accountId}
  `.execute(db);
  if (rows[0] === undefined) throw new Error('the salt of the account is missing');
  return rows[0].salt;
}
