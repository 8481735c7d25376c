import { AppError } from '../errors/app-error.ts';
import { listMostPermissions, type RestrictedKind } from './credential-kinds.ts';
import type { Permission } from './permissions.ts';
import type { Principal } from './principal.ts';

/** The part of the caller that lacks the permission: the role, the scopes of the key, or the kind of credential. */
type PermissionLack = 'role' | 'key' | 'credential';

/**
 * Returns the error for a caller that lacks a permission; it is the same on all surfaces. The error names the
 * permission, and the role or credential that lacks it (ERR-2).
 */
export function refusePermission(principal: Principal, permission: Permission): AppError {
  const lack = findLack(principal, permission);
  const message = {
    role: `${principal.kind === 'user' ? 'Your role' : 'The role of the key’s owner'} does not include the permission "${permission}".`,
    key: `The scopes of this API key do not include the permission "${permission}", although the role of its owner does. Create a key with this scope.`,
    credential: `${describeKind(principal.restrictedKind)} never has the permission "${permission}".`,
  }[lack];
  return new AppError('permission_denied', { message, detail: { permission, lacked_by: lack } });
}

/** Returns a name for a credential that does not act for a person, as the subject of a sentence. */
export function describeKind(kind: RestrictedKind | undefined): string {
  return kind === 'portal_link' ? 'A portal link' : 'A credential that acts as an agent';
}

function findLack({ kind, rolePermissions, restrictedKind }: Principal, permission: Permission): PermissionLack {
  if (restrictedKind !== undefined && !listMostPermissions(restrictedKind).includes(permission)) return 'credential';
  if (kind === 'user' || rolePermissions === undefined) return 'role';
  return rolePermissions.has(permission) ? 'key' : 'role';
}
