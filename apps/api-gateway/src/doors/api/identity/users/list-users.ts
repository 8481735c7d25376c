import { defineRoute, pageOf, PlainPageQuery, readIdPage, toIdPage, type Route } from '@steward/http';
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
    query: PlainPageQuery,
    responses: { 200: { description: 'A page of users.', schema: pageOf(UserAnswer) } },
    handler: async ({ query, principal }) => {
      const page = readIdPage(query);
      const users = await listUsers(deps.db, { accountId: principal.accountId, ...page }, deps.settings.edition);
      return { status: 200, body: toIdPage(users, page.limit, presentUser) };
    },
  });
}
