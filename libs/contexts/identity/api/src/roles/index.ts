import { tagRoutes, type Route } from '@steward/http';
import type { IdentityDeps } from '../identity-deps.ts';
import { createDeleteRoleRoute, createUpdateRoleRoute } from './change-role.ts';
import { createCreateRoleRoute } from './create-role.ts';
import { createListRolesRoute } from './list-roles.ts';

export function createRolesRoutes(deps: IdentityDeps): Route[] {
  return tagRoutes('roles', [
    createListRolesRoute(deps),
    createCreateRoleRoute(deps),
    createUpdateRoleRoute(deps),
    createDeleteRoleRoute(deps),
  ]);
}
