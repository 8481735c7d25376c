import { sql } from 'kysely';
import { containsText, pageById, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import { tables } from '../../schema.ts';
import type { UserWithRole } from '../rules/user.ts';

function selectUsers(db: AnyDatabase) {
  return tables(db)
    .selectFrom('gateway.user_account as user')
    .innerJoin('gateway.role as role', 'role.id', 'user.role_id')
    .select([
      'user.id',
      'user.account_id',
      'user.username',
      'user.email',
      'user.full_name',
      'user.password_hash',
      'user.is_active',
      'user.token_generation',
      'user.created_at',
      'user.role_id',
      'role.name as role',
      'role.permissions',
    ]);
}

export function findUserById(db: AnyDatabase, userId: string): Promise<UserWithRole | undefined> {
  return selectUsers(db).where('user.id', '=', userId).executeTakeFirst();
}

/** Finds a user by username or email address, case-insensitively. */
export function findUserByLogin(db: AnyDatabase, login: string): Promise<UserWithRole | undefined> {
  const folded = login.toLowerCase();
  return selectUsers(db)
    .where((where) =>
      where.or([
        where(where.fn<string>('lower', ['user.username']), '=', folded),
        where(where.fn<string>('lower', ['user.email']), '=', folded),
      ]),
    )
    .executeTakeFirst();
}

export interface UserFilter extends IdPage {
  /** Text to search for in the username, the email address and the full name. */
  readonly query?: string | undefined;
}

export function listUsers(db: AnyDatabase, filter: UserFilter): Promise<UserWithRole[]> {
  const texts = [sql`"user".username`, sql`"user".email`, sql`"user".full_name`];
  return selectUsers(db)
    .where('user.account_id', '=', filter.accountId)
    .$if(filter.query !== undefined, (query) => query.where(containsText(texts, filter.query as string)))
    .$call((query) => pageById(query, filter, 'user.id'))
    .execute();
}

/** Returns the users of the account with one of these ids or names; names are case-insensitive. */
export function findAccountUsers(
  db: AnyDatabase,
  wanted: { readonly accountId: string; readonly ids?: readonly string[]; readonly usernames?: readonly string[] },
): Promise<UserWithRole[]> {
  const { accountId, ids = [], usernames = [] } = wanted;
  const folded = usernames.map((name) => name.toLowerCase());
  return selectUsers(db)
    .where('user.account_id', '=', accountId)
    .where((where) =>
      where.or([
        where('user.id', '=', where.fn.any(where.val([...ids]))),
        where(where.fn<string>('lower', ['user.username']), '=', where.fn.any(where.val(folded))),
      ]),
    )
    .execute();
}

export async function insertUser(
  trx: AnyTransaction,
  user: Omit<UserWithRole, 'role' | 'permissions' | 'is_active' | 'token_generation' | 'created_at'>,
): Promise<void> {
  await tables(trx).insertInto('gateway.user_account').values(user).execute();
}

/**
 * Locks the active owners of an account who can log in, and returns their ids: if two owners demote each other, the
 * second transaction waits for the first. An invited owner without a password cannot manage the account.
 */
export async function lockActiveOwnerIds(trx: AnyTransaction, accountId: string): Promise<string[]> {
  const rows = await tables(trx)
    .selectFrom('gateway.user_account as user')
    .innerJoin('gateway.role as role', 'role.id', 'user.role_id')
    .select('user.id')
    .where('user.account_id', '=', accountId)
    .where('user.is_active', '=', true)
    .where('user.password_hash', 'is not', null)
    .where('role.name', '=', 'owner')
    .where('role.account_id', 'is', null)
    .orderBy('user.id')
    .forUpdate('user')
    .execute();
  return rows.map((row) => row.id);
}

/** Locks the row of a user until the transaction ends. */
export async function lockUser(trx: AnyDatabase, userId: string): Promise<void> {
  await tables(trx).selectFrom('gateway.user_account').select('id').where('id', '=', userId).forUpdate().execute();
}

/**
 * Replaces the password hash of an active user. Returns false if the stored hash has changed or the user is not active.
 */
export async function replacePassword(
  trx: AnyTransaction,
  change: { readonly userId: string; readonly formerHash: string | null; readonly hash: string },
): Promise<boolean> {
  const replaced = await tables(trx)
    .updateTable('gateway.user_account')
    .set({ password_hash: change.hash })
    .where('id', '=', change.userId)
    .where('is_active', '=', true)
    .where('password_hash', change.formerHash === null ? 'is' : '=', change.formerHash)
    .returning('id')
    .executeTakeFirst();
  return replaced !== undefined;
}

export async function updateUser(
  trx: AnyTransaction,
  userId: string,
  change: {
    readonly role_id?: string;
    readonly is_active?: boolean;
    readonly token_generation?: number;
    readonly full_name?: string;
  },
): Promise<void> {
  await tables(trx).updateTable('gateway.user_account').set(change).where('id', '=', userId).execute();
}

/** Raises the token generation of the user, which invalidates all earlier tokens. */
export async function raiseTokenGeneration(trx: AnyTransaction, userId: string): Promise<void> {
  await tables(trx)
    .updateTable('gateway.user_account')
    .set(({ eb }) => ({ token_generation: eb('token_generation', '+', 1) }))
    .where('id', '=', userId)
    .execute();
}
