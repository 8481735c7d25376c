import type { Edition } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { isUniqueViolation, type AnyTransaction } from '@steward/database';
import { findRole } from '../../roles/store/role.store.ts';
import { toUser, type User } from '../rules/user.ts';
import { findUserById, insertUser } from '../store/user.store.ts';

export interface NewUser {
  readonly username: string;
  readonly email: string;
  /** Hash of the password; null for a user who is invited to choose one. */
  readonly passwordHash: string | null;
  readonly fullName: string | null;
}

export type CreateUserOutcome =
  | { readonly kind: 'created'; readonly user: User }
  | { readonly kind: 'taken'; readonly field: 'username' | 'email' }
  | { readonly kind: 'unknown_role' };

/**
 * Adds a user to an account. A duplicate username or email address aborts the transaction, so the caller must roll
 * back.
 */
export async function createUser(
  trx: AnyTransaction,
  input: NewUser & { readonly accountId: string; readonly role: string },
  edition: Edition,
): Promise<CreateUserOutcome> {
  const role = await findRole(trx, input.accountId, input.role);
  if (role === undefined) return { kind: 'unknown_role' };
  const id = newId();
  try {
    await insertUser(trx, {
      id,
      account_id: input.accountId,
      username: input.username,
      email: input.email,
      full_name: input.fullName,
      password_hash: input.passwordHash,
      role_id: role.id,
    });
  } catch (error) {
    if (isUniqueViolation(error, 'user_account_username_key')) return { kind: 'taken', field: 'username' };
    if (isUniqueViolation(error, 'user_account_email_key')) return { kind: 'taken', field: 'email' };
    throw error;
  }
  const created = await findUserById(trx, id);
  if (created === undefined) throw new Error('a user disappeared within its own transaction');
  return { kind: 'created', user: toUser(created, edition) };
}
