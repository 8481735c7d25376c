import type { Route } from '@steward/http';
import type { IdentityDeps } from '../identity-deps.ts';
import { createCreateRoleRoute } from './create-role.ts';
import { createListRolesRoute } from './list-roles.ts';

export function createRolesRoutes(deps: IdentityDeps): Route[] {
  return [createListRolesRoute(deps), createCreateRoleRoute(deps)];
}
