import { Type } from '@sinclair/typebox';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { toStorableText } from '@steward/runtime';
import { createUser, recordAudit } from '@steward/slice-gateway';
import { describeActor } from '../../auth/describe-actor.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { requireCreatedUser } from './create-user-errors.ts';
import { requireGrantableRole } from './role-ceiling.ts';
import { Email, FullName, Password, presentUser, RoleName, UserAnswer, Username } from './user-schemas.ts';

const Body = Type.Object(
  { username: Username, email: Email, password: Password, role: RoleName, full_name: Type.Optional(FullName) },
  { additionalProperties: false },
);

export function createCreateUserRoute(deps: GatewayDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/users',
    auth: 'bearer',
    permissions: ['manage_users'],
    tag: 'users',
    summary: 'Add a user to the account.',
    body: Body,
    responses: { 201: { description: 'The user.', schema: UserAnswer } },
    handler: async ({ body, principal, requestId }) => {
      await requireGrantableRole(deps, principal, body.role);
      const fullName = typeof body.full_name === 'string' ? toStorableText(body.full_name) : null;
      const user = await transact(deps, async (trx) => {
        const input = { ...body, fullName, accountId: principal.accountId };
        const created = requireCreatedUser(await createUser(trx, input, deps.settings.edition));
        await recordAudit(trx, {
          accountId: principal.accountId,
          actor: describeActor(principal),
          source: 'console',
          action: 'create',
          resourceType: 'user',
          resourceId: created.id,
          status: 'success',
          details: { role: created.role },
          requestId,
        });
        return created;
      });
      return { status: 201, body: presentUser(user) };
    },
  });
}
