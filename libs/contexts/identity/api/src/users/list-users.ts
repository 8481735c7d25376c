import { Type } from '@sinclair/typebox';
import { defineRoute, pageOf, PageQuery, readIdPage, textFilter, toIdPage, type Route } from '@steward/http';
import { listUsers } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { presentUser, UserAnswer } from './user-schemas.ts';

const Query = Type.Object(
  { ...PageQuery, query: textFilter('Only users whose name or email address contains this string, ignoring case.') },
  { additionalProperties: false },
);

export function createListUsersRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'listUsers',
    method: 'get',
    path: '/api/v1/users',
    permissions: ['manage_users'],
    summary: 'List the users of the account, newest first.',
    query: Query,
    responses: { 200: { description: 'A page of users.', name: 'User', schema: pageOf(UserAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const page = readIdPage(query);
      const filter = { accountId, query: query.query, ...page };
      const users = await listUsers(deps.db, filter, deps.settings.edition);
      return { status: 200, body: toIdPage(users, page.limit, presentUser) };
    },
  });
}
