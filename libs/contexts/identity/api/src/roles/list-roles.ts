import { defineRoute, pageOf, PlainPageQuery, type Route } from '@steward/http';
import { listRoles } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { presentRole, RoleAnswer } from './role-schemas.ts';

/** Creates the route that lists roles. All roles are on one page, because an account has only a few. */
export function createListRolesRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'listRoles',
    method: 'get',
    path: '/api/v1/roles',
    summary: 'List the system roles and the custom roles of the account.',
    query: PlainPageQuery,
    responses: { 200: { description: 'All roles.', name: 'Role', schema: pageOf(RoleAnswer) } },
    handler: async ({ principal: { accountId } }) => {
      const roles = await listRoles(deps.db, accountId);
      return {
        status: 200,
        body: { items: roles.map((role) => presentRole(role, deps.settings.edition)), next_cursor: null },
      };
    },
  });
}
