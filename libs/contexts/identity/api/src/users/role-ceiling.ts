import { AppError, type Principal, existsInEdition } from '@steward/contracts';
import { listRoles, type User } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { unknownRole } from './create-user-errors.ts';

/**
 * Checks that the caller may assign a role: no one can assign a role that grants permissions they do not have
 * themselves, and only owners can assign the role `owner`.
 * @throws permission_denied, invalid_request for an unknown role
 */
export async function requireGrantableRole(
  deps: Pick<IdentityDeps, 'db' | 'settings'>,
  principal: Principal,
  roleName: string,
): Promise<void> {
  const roles = await listRoles(deps.db, principal.accountId);
  const role = roles.find((candidate) => candidate.name === roleName.toLowerCase());
  if (role === undefined) throw unknownRole();
  requireOwnPermissions(
    principal,
    role.permissions.filter((permission) => existsInEdition(permission, deps.settings.edition)),
  );
  if (role.isSystem && role.name === 'owner' && principal.role !== 'owner') {
    throw new AppError('permission_denied', {
      message: 'Only an owner can make another user an owner.',
      detail: { permission: 'owner' },
    });
  }
}

/**
 * Checks that the caller may change a user: the user must not have a permission that the caller lacks, and only owners
 * can change owners (ACC-17). If the caller is a key, the permissions of the key count.
 * @throws 403 naming the first permission the caller lacks
 */
export function requireOutranked(principal: Principal, target: User): void {
  const missing = target.permissions.find((permission) => !principal.permissions.has(permission));
  if (missing !== undefined) {
    throw new AppError('permission_denied', {
      message: `You cannot change a user who has the permission "${missing}", which you do not have.`,
      detail: { permission: missing },
    });
  }
  if (target.role === 'owner' && principal.role !== 'owner') {
    throw new AppError('permission_denied', {
      message: 'Only an owner can change an owner.',
      detail: { permission: 'owner' },
    });
  }
}

/** Checks that the caller has all of these permissions. @throws 403 naming the first one that is missing */
export function requireOwnPermissions(principal: Principal, permissions: readonly string[]): void {
  const missing = permissions.find((permission) => !principal.permissions.has(permission as never));
  if (missing === undefined) return;
  throw new AppError('permission_denied', {
    message: `You cannot grant "${missing}": your own role does not include it.`,
    detail: { permission: missing },
  });
}
