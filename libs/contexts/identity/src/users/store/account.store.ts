import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';

/** Returns the ids of all accounts, oldest first. */
export async function listAccountIds(db: AnyDatabase): Promise<string[]> {
  const rows = await tables(db).selectFrom('gateway.account').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

export async function isAccount(db: AnyDatabase, accountId: string): Promise<boolean> {
  const found = await tables(db)
    .selectFrom('gateway.account')
    .select('id')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Returns whether this deployment has an account. With `lock`, this is checked under a lock that is held until the
 * commit, so that only one account can be the first.
 */
export async function hasAccount(db: AnyDatabase, options: { readonly lock: boolean }): Promise<boolean> {
  if (options.lock) await sql`select pg_advisory_xact_lock(hashtext('gateway.first_account'))`.execute(db);
  return (await sql`select from gateway.account limit 1`.execute(db)).rows.length > 0;
}

/** Returns whether the account is the only one of this deployment. */
export async function isOnlyAccount(db: AnyDatabase, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`select id from gateway.account limit 2`.execute(db);
  return rows.length === 1 && rows[0]?.id === accountId;
}

export async function isActiveUser(
  db: AnyDatabase,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from gateway.user_account where account_id = ${accountId} and id = ${userId} and is_active
  `.execute(db);
  return rows.length > 0;
}

export async function insertAccount(
  trx: AnyTransaction,
  account: { readonly id: string; readonly name: string },
): Promise<void> {
  await tables(trx).insertInto('gateway.account').values(account).execute();
}
