import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { changePassword, preparePasswordChange } from '@steward/identity';
import { requireLogin, buildAddressKey } from '@steward/api';
import type { IdentityDeps } from '../identity-deps.ts';
import { tooManyFailures } from '../auth/start-login.ts';
import { weakPassword } from './new-password.ts';
import { Password } from './user-schemas.ts';

const Body = Type.Object(
  { current_password: Type.String({ minLength: 1, maxLength: 200 }), new_password: Password },
  { additionalProperties: false },
);

type ChangeDeps = Pick<IdentityDeps, 'db' | 'broker' | 'settings' | 'clock'>;

export function createChangePasswordRoute(deps: ChangeDeps): Route {
  return defineRoute({
    operationId: 'changePassword',
    method: 'put',
    path: '/api/v1/users/me/password',
    permissions: [],
    summary: 'Change your password. The change ends your other logins.',
    description:
      'If the current password is wrong, the response is 422 with the name of the field (not 401, because the token itself is valid), and the request counts as a failed login. API keys cannot be used to change passwords. Existing API keys keep working after a change.',
    body: Body,
    bodyExample: { current_password: 'a long passphrase', new_password: 'a longer passphrase' },
    responses: { 204: { description: 'Changed.' } },
    audit: { action: 'change_password', resourceType: 'user' },
    handler: async ({ body, principal, remoteAddress, audit }) => {
      const loginId = requireLogin(principal);
      const { userId } = principal;
      const prepared = await preparePasswordChange(
        deps.db,
        {
          userId,
          currentPassword: body.current_password,
          newPassword: body.new_password,
          addressKey: buildAddressKey(remoteAddress),
          now: () => deps.clock.now(),
        },
        { failuresPerMinute: deps.settings.loginFailuresPerMinute },
      );
      if (prepared.kind === 'blocked') throw tooManyFailures(prepared.retryAfterSeconds);
      if (prepared.kind === 'weak') throw weakPassword(prepared.reason, 'new_password');
      if (prepared.kind === 'wrong') {
        await recordAudit(deps.db, audit({ resourceId: userId, status: 'failure' }));
        throw wrongPassword();
      }
      const { formerHash, hash } = prepared;
      await transact(deps, async (trx) => {
        if (!(await changePassword(trx, { userId, formerHash, hash, loginId }))) throw wrongPassword();
        await recordAudit(trx, audit({ resourceId: userId }));
      });
      return { status: 204 };
    },
  });
}

function wrongPassword(): AppError {
  return new AppError('invalid_request', {
    message: '"current_password" is not your password.',
    detail: { field: 'current_password' },
  });
}
