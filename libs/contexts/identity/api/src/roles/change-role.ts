import { Type } from '@sinclair/typebox';
import { AppError, existsInEdition, type Edition, type Permission, type Principal } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { findWorkflowOfRole, lockWorkflows } from '@steward/approvals';
import { recordAudit } from '@steward/audit';
import { deleteRole, updateRolePermissions, type Role } from '@steward/identity';
import { requireUnlimited } from '@steward/api';
import { countNoun } from '@steward/text';
import type { IdentityDeps } from '../identity-deps.ts';
import { requireOwnPermissions } from '../users/role-ceiling.ts';
import { requireAvailable } from './require-available.ts';
import { presentRole, RoleAnswer, RoleParams, RolePermissions } from './role-schemas.ts';

const ROLE = {
  path: '/api/v1/roles/{role_id}',
  permissions: ['manage_users'],
  params: RoleParams,
} as const;

const Body = Type.Object({ permissions: RolePermissions }, { additionalProperties: false });

export function createUpdateRoleRoute(deps: IdentityDeps): Route {
  const { edition } = deps.settings;
  return defineRoute({
    ...ROLE,
    operationId: 'updateRole',
    method: 'patch',
    summary: 'Change the permissions of a custom role, effective from the next request of its users on.',
    description: 'The caller needs all old and new permissions of the role. The name cannot be changed.',
    body: Body,
    bodyExample: { permissions: ['view_runtime_sessions'] },
    responses: { 200: { description: 'The role.', name: 'Role', schema: RoleAnswer } },
    audit: { resourceType: 'role' },
    handler: async ({ params, body, principal, audit }) => {
      requireUnlimited(principal);
      const permissions = body.permissions as Permission[];
      requireAvailable(permissions, edition);
      const role = await transact(deps, async (trx) => {
        const input = { accountId: principal.accountId, roleId: params.role_id, permissions };
        const outcome = await updateRolePermissions(trx, input, (former) => {
          requireOwnRole(principal, former, edition);
          requireOwnPermissions(principal, permissions);
        });
        if (outcome.kind !== 'updated') throw refuse(outcome.kind);
        const { id: resourceId, name } = outcome.role;
        await recordAudit(trx, audit({ resourceId, details: { name, permissions: outcome.role.permissions } }));
        return outcome.role;
      });
      return { status: 200, body: presentRole(role, edition) };
    },
  });
}

export function createDeleteRoleRoute(deps: IdentityDeps): Route {
  const { edition } = deps.settings;
  return defineRoute({
    ...ROLE,
    operationId: 'deleteRole',
    method: 'delete',
    summary: 'Delete a custom role that no user and no approval workflow uses.',
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'role' },
    handler: async ({ params, principal, audit }) => {
      const { accountId } = principal;
      await transact(deps, async (trx) => {
        // The workflows are locked before the role, because saving a workflow locks the workflows first and then looks
        // up roles.
        await lockWorkflows(trx, accountId);
        const authorize = (role: Role) => requireOwnRole(principal, role, edition);
        const outcome = await deleteRole(trx, { accountId, roleId: params.role_id }, authorize);
        if (outcome.kind === 'given') throw refuseGiven(outcome.users);
        if (outcome.kind !== 'deleted') throw refuse(outcome.kind);
        const { id: resourceId, name } = outcome.role;
        const workflow = await findWorkflowOfRole(trx, { accountId, role: name });
        // A role that a workflow uses cannot be deleted: if another role were created under this name later, the
        // workflow would use that role.
        if (workflow !== undefined)
          throw new AppError('conflict', { message: `The approval workflow "${workflow}" uses the role.` });
        await recordAudit(trx, audit({ resourceId, details: { name } }));
      });
      return { status: 204 };
    },
  });
}

/**
 * Checks that the caller has all permissions of a role: no one can change a role that grants a permission they do not
 * have themselves (ACC-17).
 * @throws permission_denied
 */
function requireOwnRole(principal: Principal, { permissions }: Role, edition: Edition): void {
  const missing = permissions.find(
    (permission) =>
      existsInEdition(permission as Permission, edition) && !principal.permissions.has(permission as Permission),
  );
  if (missing === undefined) return;
  throw new AppError('permission_denied', {
    message: `You cannot change a role that has the permission "${missing}", which you do not have.`,
    detail: { permission: missing },
  });
}

const refuse = (kind: 'not_found' | 'system'): AppError =>
  kind === 'not_found'
    ? new AppError('not_found')
    : new AppError('conflict', { message: 'A system role is the same in every account and cannot be changed.' });

const refuseGiven = (users: number): AppError =>
  new AppError('conflict', {
    message: `The role is assigned to ${countNoun(users, 'user')}.`,
    detail: { users },
  });
