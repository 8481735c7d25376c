import { Type } from '@sinclair/typebox';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import { recordAudit, updateUser } from '@steward/slice-gateway';
import { describeActor } from '../../auth/describe-actor.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { unknownRole } from './create-user-errors.ts';
import { requireGrantableRole } from './role-ceiling.ts';
import { presentUser, RoleName, UserAnswer, UserParams } from './user-schemas.ts';

const Body = Type.Object(
  { role: Type.Optional(RoleName), is_active: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);

export function createUpdateUserRoute(deps: GatewayDeps): Route {
  return defineRoute({
    method: 'patch',
    path: '/api/v1/users/{user_id}',
    auth: 'bearer',
    permissions: ['manage_users'],
    tag: 'users',
    summary: 'Change a user’s role or activity; both count from the next request on.',
    params: UserParams,
    body: Body,
    responses: { 200: { description: 'The user.', schema: UserAnswer } },
    handler: async ({ params, body, principal, requestId }) => {
      if (body.role !== undefined) await requireGrantableRole(deps, principal, body.role);
      const user = await transact(deps, async (trx) => {
        const input = {
          accountId: principal.accountId,
          userId: params.user_id,
          ...(body.role === undefined ? {} : { role: body.role }),
          ...(body.is_active === undefined ? {} : { isActive: body.is_active }),
        };
        const outcome = await updateUser(trx, input, deps.settings.edition);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'unknown_role') throw unknownRole();
        if (outcome.kind !== 'updated') {
          throw new AppError('conflict', { message: 'The last active owner of an account stays its owner.' });
        }
        await recordAudit(trx, {
          accountId: principal.accountId,
          actor: describeActor(principal),
          source: 'console',
          action: 'update',
          resourceType: 'user',
          resourceId: params.user_id,
          status: 'success',
          details: { ...body },
          requestId,
        });
        return outcome.user;
      });
      return { status: 200, body: presentUser(user) };
    },
  });
}
