import { Type } from '@sinclair/typebox';
import { decodeIdCursor, defineRoute, encodeIdCursor, PageQuery, pageOf, toPage, type Route } from '@steward/http';
import { listUsers } from '@steward/slice-identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { presentUser, UserAnswer } from './user-schemas.ts';

export function createListUsersRoute(deps: IdentityDeps): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/users',
    auth: 'bearer',
    permissions: ['manage_users'],
    tag: 'users',
    summary: 'List the users of the account, newest first.',
    query: Type.Object(PageQuery, { additionalProperties: false }),
    responses: { 200: { description: 'A page of users.', schema: pageOf(UserAnswer) } },
    handler: async ({ query, principal }) => {
      const limit = query.limit ?? 50;
      const filter = { accountId: principal.accountId, beforeId: decodeIdCursor(query.cursor), limit };
      const users = await listUsers(deps.db, filter, deps.settings.edition);
      return {
        status: 200,
        body: toPage(users, limit, { item: presentUser, cursor: (user) => encodeIdCursor(user.id) }),
      };
    },
  });
}
