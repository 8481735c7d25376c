import type { Route } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { createCreateApiKeyRoute, createDeleteApiKeyRoute, createListApiKeysRoute } from './api-keys.ts';
import { createRegisterRoute } from './register.ts';
import { createFormTokenRoute, createJsonTokenRoute, createRefreshRoute } from './token.ts';

export function createAuthRoutes(deps: GatewayDeps): Route[] {
  return [
    createRegisterRoute(deps),
    createFormTokenRoute(deps),
    createJsonTokenRoute(deps),
    createRefreshRoute(deps),
    createListApiKeysRoute(deps),
    createCreateApiKeyRoute(deps),
    createDeleteApiKeyRoute(deps),
  ];
}
