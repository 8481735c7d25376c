import type { Route } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { createListAuditLogRoute } from './list.ts';

export function createAuditLogRoutes(deps: GatewayDeps): Route[] {
  return [createListAuditLogRoute(deps)];
}
