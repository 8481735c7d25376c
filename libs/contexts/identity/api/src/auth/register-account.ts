import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { hasAccount, registerAccount, type User } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { requireCreatedUser } from '../users/create-user-errors.ts';
import { requireNewPassword } from '../users/new-password.ts';
import { Email, FullName, Password, readFullName, UserAnswer, Username } from '../users/user-schemas.ts';
import { createRegistrationBudget } from './registration-budget.ts';
import { byThemselves, saveOwnUser } from './save-own-user.ts';

const Body = Type.Object(
  { username: Username, email: Email, password: Password, full_name: Type.Optional(FullName) },
  { additionalProperties: false },
);

export function createRegisterRoute(deps: IdentityDeps): Route {
  const { edition, registrationEnabled, registrationRatePerMinute } = deps.settings;
  const budget = createRegistrationBudget(registrationRatePerMinute);
  return defineRoute({
    operationId: 'registerAccount',
    method: 'post',
    path: '/api/v1/auth/register',
    auth: 'none',
    summary: 'Create an account and its owner. Log in afterwards to get a token.',
    description:
      'The configuration of the deployment determines who may register: anyone, only the first account, or nobody.',
    body: Body,
    bodyExample: { username: 'ada', email: 'ada@example.com', password: 'a long passphrase' },
    responses: { 201: { description: 'The owner of the new account.', name: 'User', schema: UserAnswer } },
    audit: { action: 'register', resourceType: 'account' },
    handler: async ({ body, remoteAddress, audit }) => {
      budget.spend(remoteAddress);
      const onlyFirst = registrationEnabled === 'first';
      if (registrationEnabled === 'false' || (onlyFirst && (await hasAccount(deps.db, { lock: false }))))
        throw new AppError('registration_closed');
      const passwordHash = await requireNewPassword(body, remoteAddress);
      const { username, email } = body;
      const fullName = readFullName(body) ?? null;
      const save = async (trx: AnyTransaction) => {
        // The condition is checked again under a lock: of several concurrent first registrations, only one succeeds.
        if (onlyFirst && (await hasAccount(trx, { lock: true }))) throw new AppError('registration_closed');
        return requireCreatedUser(await registerAccount(trx, { username, email, passwordHash, fullName }, edition));
      };
      const record = (user: User) => audit({ ...byThemselves(user), resourceId: user.accountId });
      return { status: 201, body: await saveOwnUser(deps, save, record) };
    },
  });
}
