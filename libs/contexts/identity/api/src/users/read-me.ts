import { AGENT_KINDS, AppError } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { findUser } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { presentUser, UserAnswer } from './user-schemas.ts';

export function createReadMeRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'readMe',
    method: 'get',
    path: '/api/v1/users/me',
    openTo: AGENT_KINDS,
    summary: 'Read the caller: the user of the token, or the owner of the API key.',
    responses: {
      200: { description: 'The user; `permissions` are those of this credential.', name: 'User', schema: UserAnswer },
    },
    handler: async ({ principal }) => {
      const user = await findUser(deps.db, principal.userId, deps.settings.edition);
      if (user === undefined) throw new AppError('unauthenticated');
      return { status: 200, body: presentUser({ ...user, permissions: [...principal.permissions] }) };
    },
  });
}
