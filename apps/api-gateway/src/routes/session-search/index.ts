import type { Route } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { createSearchRoute } from './search.ts';

export function createSessionSearchRoutes(deps: GatewayDeps): Route[] {
  return [createSearchRoute(deps)];
}
