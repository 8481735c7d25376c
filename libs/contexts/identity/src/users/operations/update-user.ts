import type { Edition } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { deleteInvitation } from '../../invitations/store/invitation.store.ts';
import { revokeKeysOfUser } from '../../keys/store/api-key.store.ts';
import { deleteLogins } from '../../logins/store/login.store.ts';
import { findRole, type Role } from '../../roles/store/role.store.ts';
import { toUser, type User } from '../rules/user.ts';
import * as users from '../store/user.store.ts';

export type UpdateUserOutcome =
  | { readonly kind: 'updated'; readonly user: User; readonly revokedKeys: number }
  | { readonly kind: 'not_found' | 'unknown_role' | 'last_owner' };

export interface UserChange {
  readonly accountId: string;
  readonly userId: string;
  readonly role?: string;
  readonly isActive?: boolean;
  readonly now: Date;
  /**
   * Checks whether the caller may change the user; called with the locked user before anything is changed. @throws if
   * the caller may not change the user
   */
  readonly authorize: (target: User) => void;
}

/**
 * Changes the role or the active state of a user. The last active owner can neither be deactivated nor get another
 * role: otherwise, no one could manage the account. Deactivation permanently ends the user's logins, revokes the keys
 * and withdraws the invitation.
 */
export async function updateUser(trx: AnyTransaction, input: UserChange, edition: Edition): Promise<UpdateUserOutcome> {
  const owners = await users.lockActiveOwnerIds(trx, input.accountId);
  await users.lockUser(trx, input.userId);
  const current = await users.findUserById(trx, input.userId);
  if (current === undefined || current.account_id !== input.accountId) return { kind: 'not_found' };
  input.authorize(toUser(current, edition));
  const role = input.role === undefined ? undefined : await findRole(trx, input.accountId, input.role);
  if (input.role !== undefined && role === undefined) return { kind: 'unknown_role' };
  if (isOnlyOwner(owners, input.userId) && stopsOwning(input.isActive, role)) return { kind: 'last_owner' };
  const change = {
    ...(role === undefined ? {} : { role_id: role.id }),
    ...(input.isActive === undefined ? {} : { is_active: input.isActive }),
    // Tokens of a deactivated user remain invalid when the user is reactivated.
    ...(input.isActive === false ? { token_generation: current.token_generation + 1 } : {}),
  };
  if (Object.keys(change).length > 0) await users.updateUser(trx, input.userId, change);
  const revokedKeys = input.isActive === false ? await endCredentials(trx, input.userId, input.now) : 0;
  const updated = await users.findUserById(trx, input.userId);
  if (updated === undefined) throw new Error('a user disappeared within a transaction');
  return { kind: 'updated', user: toUser(updated, edition), revokedKeys };
}

/**
 * Ends the logins of a user, withdraws the invitation and revokes the keys. Called after the user's row was changed:
 * creating a key or starting a login locks that row, so neither can happen concurrently. Returns the number of revoked
 * keys.
 */
async function endCredentials(trx: AnyTransaction, userId: string, now: Date): Promise<number> {
  await deleteLogins(trx, userId);
  await deleteInvitation(trx, userId);
  return revokeKeysOfUser(trx, userId, now);
}

function isOnlyOwner(ownerIds: readonly string[], userId: string): boolean {
  return ownerIds.length === 1 && ownerIds[0] === userId;
}

function stopsOwning(isActive: boolean | undefined, role: Role | undefined): boolean {
  return isActive === false || (role !== undefined && role.name !== 'owner');
}
