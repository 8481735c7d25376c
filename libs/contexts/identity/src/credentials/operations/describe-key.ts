import {
  findKeyKind,
  KEY_ONLY_PERMISSIONS,
  listMostPermissions,
  type Edition,
  type Permission,
  type Principal,
  type RestrictedKind,
} from '@steward/contracts';
import { effectivePermissions } from '../../users/rules/user.ts';
import type { KeyOwner } from '../store/credential.store.ts';

/**
 * Returns the caller in the form that may be reused for later requests: without the position in the write-ahead log,
 * which changes all the time. Returns undefined if notes are waiting for an agent of the account: no change is recorded
 * when notes stop waiting, so the caller is read for each request.
 */
export function describeLasting(principal: Principal): Principal | undefined {
  if (principal.revisions?.hasNotes === true) return undefined;
  if (principal.revisions === undefined) return principal;
  const { walPosition: _position, ...revisions } = principal.revisions;
  return { ...principal, revisions };
}

/** Describes the caller to whom a key belongs. */
export function describeKey(edition: Edition, row: KeyOwner): Principal {
  const { runtime_principal_type: type, runtime_principal_id: id, runtime_principal_name: name } = row;
  const runtimePrincipal = type === null || id === null ? undefined : { type, id, name: name ?? undefined };
  const rolePermissions = effectivePermissions(row.permissions, edition);
  const permissions = narrow(rolePermissions, row.scopes);
  const restrictedKind = findKeyKind({ isBound: runtimePrincipal !== undefined, scopes: row.scopes });
  return {
    kind: 'api_key',
    accountId: row.account_id,
    userId: row.user_id,
    username: row.username,
    apiKeyId: row.id,
    apiKeyName: row.name,
    role: row.role,
    permissions: new Set(restrict(permissions, restrictedKind)),
    rolePermissions: new Set(rolePermissions),
    runtimePrincipal,
    restrictedKind,
    isLimitedKey: row.limited,
    ...(row.key_limits === null ? {} : { keyLimits: row.key_limits }),
    isSuspended: row.is_suspended,
    isHalted: row.halted,
    revisions: row.revisions ?? undefined,
  };
}

/**
 * Returns the permissions of a key. Scopes restrict the owner's permissions; the only permissions they add are those
 * that exist exclusively for keys.
 */
function narrow(permissions: readonly Permission[], scopes: readonly string[] | null): readonly Permission[] {
  if (scopes === null) return permissions;
  return [...permissions, ...KEY_ONLY_PERMISSIONS].filter((permission) => scopes.includes(permission));
}

/**
 * Returns those of the permissions that the contract allows for a credential of this kind; all of them if `kind` is
 * undefined.
 */
function restrict(permissions: readonly Permission[], kind: RestrictedKind | undefined): readonly Permission[] {
  if (kind === undefined) return permissions;
  const most = listMostPermissions(kind);
  return permissions.filter((permission) => most.includes(permission));
}
