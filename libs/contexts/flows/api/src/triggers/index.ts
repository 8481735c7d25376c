import { tagRoutes, type Route } from '@steward/http';
import { createFlowWebhookRoute } from './receive-flow-webhook.ts';
import type { TriggerDeps } from './start-flow.ts';
import { createTriggerFlowRoute } from './trigger-flow.ts';

export function createTriggerRoutes(deps: TriggerDeps): Route[] {
  return tagRoutes('flow triggers', [createTriggerFlowRoute(deps), createFlowWebhookRoute(deps)]);
}
