import type { Transaction } from 'kysely';
import type { Edition } from '@steward/contracts';
import { isUniqueViolation, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { newId } from '@steward/runtime';
import { hashPassword } from '../rules/password-hash.ts';
import type { IdentityDatabase } from '../schema.ts';
import { findRole, type Role } from '../store/role.store.ts';
import * as users from '../store/user.store.ts';
import { effectivePermissions, type User } from '../user.ts';

export interface NewUser {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly fullName: string | null;
}

export type CreateUserOutcome =
  | { readonly kind: 'created'; readonly user: User }
  | { readonly kind: 'taken'; readonly field: 'username' | 'email' }
  | { readonly kind: 'unknown_role' };

/** A new account with its owner. */
export async function registerAccount(
  trx: AnyTransaction,
  input: NewUser,
  edition: Edition,
): Promise<CreateUserOutcome> {
  const accountId = newId();
  await (trx as Transaction<IdentityDatabase>)
    .insertInto('gateway.account')
    .values({ id: accountId, name: input.username })
    .execute();
  return createUser(trx, { ...input, accountId, role: 'owner' }, edition);
}

/** A further user of an account. A violated name leaves the transaction unusable: the caller rolls back. */
export async function createUser(
  trx: AnyTransaction,
  input: NewUser & { readonly accountId: string; readonly role: string },
  edition: Edition,
): Promise<CreateUserOutcome> {
  const role = await findRole(trx, input.accountId, input.role);
  if (role === undefined) return { kind: 'unknown_role' };
  const id = newId();
  try {
    await users.insertUser(trx, {
      id,
      account_id: input.accountId,
      username: input.username,
      email: input.email,
      full_name: input.fullName,
      password_hash: await hashPassword(input.password),
      role_id: role.id,
    });
  } catch (error) {
    if (isUniqueViolation(error, 'user_account_username_key')) return { kind: 'taken', field: 'username' };
    if (isUniqueViolation(error, 'user_account_email_key')) return { kind: 'taken', field: 'email' };
    throw error;
  }
  const created = await users.findUserById(trx, id);
  if (created === undefined) throw new Error('a user vanished inside its own transaction');
  return { kind: 'created', user: toUser(created, edition) };
}

export type UpdateUserOutcome =
  { readonly kind: 'updated'; readonly user: User } | { readonly kind: 'not_found' | 'unknown_role' | 'last_owner' };

/** Changes role or activity. The last active owner stays, or nobody could manage the account again. */
export async function updateUser(
  trx: AnyTransaction,
  input: { readonly accountId: string; readonly userId: string; readonly role?: string; readonly isActive?: boolean },
  edition: Edition,
): Promise<UpdateUserOutcome> {
  const owners = await users.lockActiveOwnerIds(trx, input.accountId);
  const current = await users.findUserById(trx, input.userId);
  if (current === undefined || current.account_id !== input.accountId) return { kind: 'not_found' };
  const role = input.role === undefined ? undefined : await findRole(trx, input.accountId, input.role);
  if (input.role !== undefined && role === undefined) return { kind: 'unknown_role' };
  if (isOnlyOwner(owners, input.userId) && stopsOwning(input.isActive, role)) return { kind: 'last_owner' };
  const change = {
    ...(role === undefined ? {} : { role_id: role.id }),
    ...(input.isActive === undefined ? {} : { is_active: input.isActive }),
    // Tokens of a deactivated user stay dead when the user comes back.
    ...(input.isActive === false ? { token_generation: current.token_generation + 1 } : {}),
  };
  if (Object.keys(change).length > 0) await users.updateUser(trx, input.userId, change);
  const updated = await users.findUserById(trx, input.userId);
  if (updated === undefined) throw new Error('a user vanished inside a transaction');
  return { kind: 'updated', user: toUser(updated, edition) };
}

function isOnlyOwner(ownerIds: readonly string[], userId: string): boolean {
  return ownerIds.length === 1 && ownerIds[0] === userId;
}

function stopsOwning(isActive: boolean | undefined, role: Role | undefined): boolean {
  return isActive === false || (role !== undefined && role.name !== 'owner');
}

export async function findUser(db: AnyDatabase, userId: string, edition: Edition): Promise<User | undefined> {
  const row = await users.findUserById(db, userId);
  return row === undefined ? undefined : toUser(row, edition);
}

/** Newest first, one more than `limit` when there is a further page. */
export async function listUsers(
  db: AnyDatabase,
  filter: { readonly accountId: string; readonly beforeId: string | undefined; readonly limit: number },
  edition: Edition,
): Promise<User[]> {
  return (await users.listUsers(db, filter)).map((row) => toUser(row, edition));
}

export function toUser(row: users.UserWithRole, edition: Edition): User {
  return {
    id: row.id,
    accountId: row.account_id,
    username: row.username,
    email: row.email,
    fullName: row.full_name,
    role: row.role,
    permissions: effectivePermissions(row.permissions, edition),
    isActive: row.is_active,
    createdAt: row.created_at,
  };
}
