import type { AnyTransaction } from '@steward/database';
import * as roles from '../store/role.store.ts';

export interface RoleKey {
  readonly accountId: string;
  readonly roleId: string;
}

/**
 * Checks whether the caller may change the role; called with the locked role before anything is changed. @throws if the
 * caller may not change it
 */
export type Authorize = (role: roles.Role) => void;

export type UpdateRoleOutcome =
  { readonly kind: 'updated'; readonly role: roles.Role } | { readonly kind: 'not_found' | 'system' };
export type DeleteRoleOutcome =
  | { readonly kind: 'deleted'; readonly role: roles.Role }
  | { readonly kind: 'given'; readonly users: number }
  | { readonly kind: 'not_found' | 'system' };

/**
 * Changes the permissions of a custom role; the change applies to users with the role from their next request on. The
 * name of a role cannot be changed, because workflows refer to the name.
 */
export async function updateRolePermissions(
  trx: AnyTransaction,
  { permissions, ...key }: RoleKey & { readonly permissions: readonly string[] },
  authorize: Authorize,
): Promise<UpdateRoleOutcome> {
  const found = await lockCustomRole(trx, key, authorize);
  if (found.kind !== 'custom') return found;
  const changed = { ...found.role, permissions: [...new Set(permissions)].sort() };
  await roles.updatePermissions(trx, changed);
  return { kind: 'updated', role: changed };
}

/** Deletes a custom role, unless any user has it; deactivated users also count. */
export async function deleteRole(trx: AnyTransaction, key: RoleKey, authorize: Authorize): Promise<DeleteRoleOutcome> {
  const found = await lockCustomRole(trx, key, authorize);
  if (found.kind !== 'custom') return found;
  const users = await roles.countUsersOfRole(trx, key);
  if (users > 0) return { kind: 'given', users };
  await roles.deleteRole(trx, key.roleId);
  return { kind: 'deleted', role: found.role };
}

async function lockCustomRole(trx: AnyTransaction, key: RoleKey, authorize: Authorize) {
  const role = await roles.lockRole(trx, key);
  if (role === undefined) return { kind: 'not_found' } as const;
  if (role.isSystem) return { kind: 'system' } as const;
  authorize(role);
  return { kind: 'custom', role } as const;
}
