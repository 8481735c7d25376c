import { Type } from '@sinclair/typebox';
import { AppError, type Permission } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { createRole, requireRoleQuota } from '@steward/identity';
import { requireUnlimited } from '@steward/api';
import type { IdentityDeps } from '../identity-deps.ts';
import { requireOwnPermissions } from '../users/role-ceiling.ts';
import { presentRole, RoleAnswer, RolePermissions } from './role-schemas.ts';
import { requireAvailable } from './require-available.ts';

const Body = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 50,
      pattern: '^[A-Za-z0-9][A-Za-z0-9_. -]*$',
      description: 'Unique in the account; stored in lower case.',
    }),
    permissions: RolePermissions,
  },
  { additionalProperties: false },
);

export function createCreateRoleRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'createRole',
    method: 'post',
    path: '/api/v1/roles',
    permissions: ['manage_users'],
    summary: 'Create a custom role. The role cannot have permissions that its creator lacks.',
    body: Body,
    bodyExample: { name: 'reviewer', permissions: ['view_runtime_sessions', 'decide_approvals'] },
    responses: { 201: { description: 'The role.', name: 'Role', schema: RoleAnswer } },
    audit: { resourceType: 'role' },
    handler: async ({ body, principal, audit }) => {
      requireUnlimited(principal);
      const permissions = body.permissions as Permission[];
      const { edition } = deps.settings;
      requireAvailable(permissions, edition);
      requireOwnPermissions(principal, permissions);
      const role = await transact(deps, async (trx) => {
        await requireRoleQuota(trx, { accountId: principal.accountId, limit: deps.settings.accountMaxRoles });
        const outcome = await createRole(trx, { accountId: principal.accountId, name: body.name, permissions });
        if (outcome.kind === 'taken')
          throw new AppError('conflict', {
            message: 'A role with this name already exists.',
            detail: { field: 'name' },
          });
        await recordAudit(
          trx,
          audit({ resourceId: outcome.role.id, details: { name: outcome.role.name, permissions } }),
        );
        return outcome.role;
      });
      return { status: 201, body: presentRole(role, edition) };
    },
  });
}
