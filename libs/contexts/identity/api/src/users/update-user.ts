import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { updateUser, type User } from '@steward/identity';
import { requireUnlimited } from '@steward/api';
import type { IdentityDeps } from '../identity-deps.ts';
import { unknownRole } from './create-user-errors.ts';
import { requireGrantableRole, requireOutranked } from './role-ceiling.ts';
import { presentUser, RoleName, UserAnswer, UserParams } from './user-schemas.ts';

const Body = Type.Object(
  { role: Type.Optional(RoleName), is_active: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);

export function createUpdateUserRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'updateUser',
    method: 'patch',
    path: '/api/v1/users/{user_id}',
    permissions: ['manage_users'],
    summary:
      'Change a user’s role, or activate or deactivate the user. The change applies from the user’s next request on.',
    description:
      'Callers cannot change a user who has a permission that they lack; only owners can change owners. Deactivation ends the user’s logins, and permanently revokes the user’s API keys and invitation.',
    params: UserParams,
    body: Body,
    bodyExample: { role: 'viewer' },
    responses: { 200: { description: 'The user.', name: 'User', schema: UserAnswer } },
    audit: { resourceType: 'user' },
    handler: async ({ params, body, principal, audit }) => {
      if (body.role !== undefined || body.is_active === true) requireUnlimited(principal);
      if (body.role !== undefined) await requireGrantableRole(deps, principal, body.role);
      const user = await transact(deps, async (trx) => {
        const input = {
          accountId: principal.accountId,
          userId: params.user_id,
          now: deps.clock.now(),
          authorize: (target: User) => requireOutranked(principal, target),
          ...(body.role === undefined ? {} : { role: body.role }),
          ...(body.is_active === undefined ? {} : { isActive: body.is_active }),
        };
        const outcome = await updateUser(trx, input, deps.settings.edition);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'unknown_role') throw unknownRole();
        if (outcome.kind !== 'updated') {
          throw new AppError('conflict', {
            message: 'The last active owner of an account cannot be deactivated or given another role.',
          });
        }
        await recordAudit(
          trx,
          audit({
            resourceId: params.user_id,
            details: { ...body, ...(body.is_active === false ? { revoked_api_keys: outcome.revokedKeys } : {}) },
          }),
        );
        return outcome.user;
      });
      return { status: 200, body: presentUser(user) };
    },
  });
}
