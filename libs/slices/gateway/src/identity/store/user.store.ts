import type { Transaction } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { IdentityDatabase } from '../schema.ts';

/** A user joined with the role, the shape every read of a user needs. */
export interface UserWithRole {
  readonly id: string;
  readonly account_id: string;
  readonly username: string;
  readonly email: string;
  readonly full_name: string | null;
  readonly password_hash: string;
  readonly is_active: boolean;
  readonly token_generation: number;
  readonly created_at: Date;
  readonly role_id: string;
  readonly role: string;
  readonly permissions: string[];
}

function selectUsers(db: AnyDatabase) {
  return (db as unknown as Transaction<IdentityDatabase>)
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

/** By username or e-mail, case-insensitively. */
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

export function listUsers(
  db: AnyDatabase,
  filter: { readonly accountId: string; readonly beforeId: string | undefined; readonly limit: number },
): Promise<UserWithRole[]> {
  return selectUsers(db)
    .where('user.account_id', '=', filter.accountId)
    .$if(filter.beforeId !== undefined, (query) => query.where('user.id', '<', filter.beforeId as string))
    .orderBy('user.id', 'desc')
    .limit(filter.limit + 1)
    .execute();
}

export async function insertUser(
  trx: AnyTransaction,
  user: Omit<UserWithRole, 'role' | 'permissions' | 'is_active' | 'token_generation' | 'created_at'>,
): Promise<void> {
  await (trx as Transaction<IdentityDatabase>).insertInto('gateway.user_account').values(user).execute();
}

/** Active owners of an account, locked: two owners demoting each other at once wait in line. */
export async function lockActiveOwnerIds(trx: AnyTransaction, accountId: string): Promise<string[]> {
  const rows = await (trx as Transaction<IdentityDatabase>)
    .selectFrom('gateway.user_account as user')
    .innerJoin('gateway.role as role', 'role.id', 'user.role_id')
    .select('user.id')
    .where('user.account_id', '=', accountId)
    .where('user.is_active', '=', true)
    .where('role.name', '=', 'owner')
    .where('role.account_id', 'is', null)
    .orderBy('user.id')
    .forUpdate('user')
    .execute();
  return rows.map((row) => row.id);
}

export async function updateUser(
  trx: AnyTransaction,
  userId: string,
  change: { readonly role_id?: string; readonly is_active?: boolean; readonly token_generation?: number },
): Promise<void> {
  await (trx as Transaction<IdentityDatabase>)
    .updateTable('gateway.user_account')
    .set(change)
    .where('id', '=', userId)
    .execute();
}
