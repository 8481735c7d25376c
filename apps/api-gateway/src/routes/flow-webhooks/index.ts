import type { Route } from '@steward/http';
import type { FlowDeps } from '../flows/flow-deps.ts';
import { createFlowWebhookRoute } from './trigger.ts';

export function createFlowWebhooksRoutes(deps: FlowDeps): Route[] {
  return [createFlowWebhookRoute(deps)];
}
