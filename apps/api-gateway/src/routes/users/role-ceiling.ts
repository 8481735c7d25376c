import { AppError } from '@steward/runtime';
import type { Principal } from '@steward/http';
import { listRoles } from '@steward/slice-gateway';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { unknownRole } from './create-user-errors.ts';

/** Nobody can give a role that allows more than they may do themselves. */
export async function requireGrantableRole(
  deps: Pick<GatewayDeps, 'db' | 'settings'>,
  principal: Principal,
  roleName: string,
): Promise<void> {
  const roles = await listRoles(deps.db, principal.accountId);
  const role = roles.find((candidate) => candidate.name === roleName.toLowerCase());
  if (role === undefined) throw unknownRole();
  requireOwnPermissions(
    principal,
    role.permissions.filter((permission) => counts(deps, permission)),
  );
  if (role.isSystem && role.name === 'owner' && principal.role !== 'owner') {
    throw new AppError('permission_denied', {
      message: 'Only an owner can make somebody an owner.',
      detail: { permission: 'owner' },
    });
  }
}

/** @throws 403 naming the first permission the caller lacks. */
export function requireOwnPermissions(principal: Principal, permissions: readonly string[]): void {
  const missing = permissions.find((permission) => !principal.permissions.has(permission as never));
  if (missing === undefined) return;
  throw new AppError('permission_denied', {
    message: `You cannot grant "${missing}": your own role does not include it.`,
    detail: { permission: missing },
  });
}

/** Enterprise permissions are inert in the other editions: nobody has them there, so nobody is refused over them. */
function counts(deps: Pick<GatewayDeps, 'settings'>, permission: string): boolean {
  return deps.settings.edition === 'enterprise' || permission !== 'search_session_content';
}
