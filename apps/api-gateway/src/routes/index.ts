import type { Route } from '@steward/http';
import type { HealthCheck } from '@steward/runtime';
import type { GatewayDeps } from '../gateway-deps.ts';
import { createLargeBodyGate } from '../rate/large-body-gate.ts';
import { createTriggerBudget } from '../rate/trigger-budget.ts';
import { createAuditLogRoutes } from './audit-log/index.ts';
import { createAuthRoutes } from './auth/index.ts';
import { createEventWebhooksRoutes } from './event-webhooks/index.ts';
import { createKnownFlows } from './flow-webhooks/known-flows.ts';
import { createFlowWebhooksRoutes } from './flow-webhooks/index.ts';
import { createFlowsRoutes } from './flows/index.ts';
import { createReadHealthRoute } from './health/read.ts';
import { createOperatorNotesRoutes } from './operator-notes/index.ts';
import { createRolesRoutes } from './roles/index.ts';
import { createRuntimeSessionsRoutes } from './runtime-sessions/index.ts';
import { createSessionSearchRoutes } from './session-search/index.ts';
import { createUsersRoutes } from './users/index.ts';

/** One processor and a few connections are not used better by more. */
const LARGE_BODIES = { places: 2, patienceMs: 2000 };

/** The route table of the API: everything the service answers over HTTP, one folder per resource. */
export function createRoutes(deps: GatewayDeps, checks: readonly HealthCheck[]): Route[] {
  const health = createReadHealthRoute(checks);
  if (deps.settings.serviceRole === 'gateway') return [health];
  const triggerBudget = createTriggerBudget({ perMinute: deps.settings.flowTriggerRatePerMinute });
  const triggers = {
    ...deps,
    triggerBudget,
    knownFlows: createKnownFlows(),
    largeBodies: createLargeBodyGate(LARGE_BODIES),
  };
  return [
    health,
    ...createAuthRoutes(deps),
    ...createUsersRoutes(deps),
    ...createRolesRoutes(deps),
    ...createAuditLogRoutes(deps),
    ...createRuntimeSessionsRoutes(deps),
    ...createOperatorNotesRoutes(deps),
    ...createSessionSearchRoutes(deps),
    ...createEventWebhooksRoutes(deps),
    ...createFlowsRoutes(triggers),
    ...createFlowWebhooksRoutes(triggers),
  ];
}
