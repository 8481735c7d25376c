import { Type } from '@sinclair/typebox';
import { ENTERPRISE_PERMISSIONS, type Permission } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import { createRole, recordAudit } from '@steward/slice-gateway';
import { describeActor } from '../../auth/describe-actor.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { requireOwnPermissions } from '../users/role-ceiling.ts';
import { PermissionName, presentRole, RoleAnswer } from './role-schemas.ts';

const Body = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 50,
      pattern: '^[A-Za-z0-9][A-Za-z0-9_. -]*$',
      description: 'Unique in the account; stored in lower case.',
    }),
    permissions: Type.Array(PermissionName, { maxItems: 100 }),
  },
  { additionalProperties: false },
);

export function createCreateRoleRoute(deps: GatewayDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/roles',
    auth: 'bearer',
    permissions: ['manage_users'],
    tag: 'roles',
    summary: 'Create a custom role; it cannot allow more than its creator may do.',
    body: Body,
    responses: { 201: { description: 'The role.', schema: RoleAnswer } },
    handler: async ({ body, principal, requestId }) => {
      const permissions = body.permissions as Permission[];
      const { edition } = deps.settings;
      const unavailable = permissions.find(
        (permission) => edition !== 'enterprise' && ENTERPRISE_PERMISSIONS.includes(permission),
      );
      if (unavailable !== undefined) {
        throw new AppError('invalid_request', {
          message: `"${unavailable}" exists only in the enterprise edition.`,
          detail: { field: 'permissions' },
        });
      }
      requireOwnPermissions(principal, permissions);
      const role = await transact(deps, async (trx) => {
        const outcome = await createRole(trx, { accountId: principal.accountId, name: body.name, permissions });
        if (outcome.kind === 'taken')
          throw new AppError('conflict', {
            message: 'A role with this name exists already.',
            detail: { field: 'name' },
          });
        await recordAudit(trx, {
          accountId: principal.accountId,
          actor: describeActor(principal),
          source: 'console',
          action: 'create',
          resourceType: 'role',
          resourceId: outcome.role.id,
          status: 'success',
          details: { name: outcome.role.name, permissions },
          requestId,
        });
        return outcome.role;
      });
      return { status: 201, body: presentRole(role, edition) };
    },
  });
}
