import type { Route } from '@steward/http';
import type { TriggerDeps } from '../flows/flow-deps.ts';
import { createFlowWebhookRoute } from './trigger.ts';

export function createFlowWebhooksRoutes(deps: TriggerDeps): Route[] {
  return [createFlowWebhookRoute(deps)];
}
