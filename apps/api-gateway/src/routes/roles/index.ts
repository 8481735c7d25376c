import type { Route } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { createCreateRoleRoute } from './create.ts';
import { createListRolesRoute } from './list.ts';

export function createRolesRoutes(deps: GatewayDeps): Route[] {
  return [createListRolesRoute(deps), createCreateRoleRoute(deps)];
}
