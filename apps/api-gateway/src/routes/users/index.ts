import type { Route } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { createCreateUserRoute } from './create.ts';
import { createListUsersRoute } from './list.ts';
import { createReadMeRoute } from './read-me.ts';
import { createUpdateUserRoute } from './update.ts';

export function createUsersRoutes(deps: GatewayDeps): Route[] {
  return [
    createReadMeRoute(deps),
    createListUsersRoute(deps),
    createCreateUserRoute(deps),
    createUpdateUserRoute(deps),
  ];
}
