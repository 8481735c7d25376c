import { Type } from '@sinclair/typebox';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { AppError, toStorableText } from '@steward/runtime';
import { recordAudit, registerAccount } from '@steward/slice-gateway';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { requireCreatedUser } from '../users/create-user-errors.ts';
import { Email, FullName, Password, presentUser, UserAnswer, Username } from '../users/user-schemas.ts';

const Body = Type.Object(
  { username: Username, email: Email, password: Password, full_name: Type.Optional(FullName) },
  { additionalProperties: false },
);

export function createRegisterRoute(deps: GatewayDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/auth/register',
    auth: 'none',
    tag: 'authentication',
    summary: 'Create an account and its owner. Log in afterwards to get a token.',
    body: Body,
    responses: { 201: { description: 'The owner of the new account.', schema: UserAnswer } },
    handler: async ({ body, requestId }) => {
      if (!deps.settings.registrationEnabled) throw new AppError('registration_disabled');
      const fullName = typeof body.full_name === 'string' ? toStorableText(body.full_name) : null;
      const user = await transact(deps, async (trx) => {
        const created = requireCreatedUser(await registerAccount(trx, { ...body, fullName }, deps.settings.edition));
        await recordAudit(trx, {
          accountId: created.accountId,
          actor: { kind: 'user', id: created.id },
          source: 'console',
          action: 'register',
          resourceType: 'account',
          resourceId: created.accountId,
          status: 'success',
          requestId,
        });
        return created;
      });
      return { status: 201, body: presentUser(user) };
    },
  });
}
