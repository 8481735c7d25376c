import { onReplica, type ReplicaDeps } from '@steward/api';
import { tagRoutes, type Route } from '@steward/http';
import type { TriggerDeps } from '../triggers/start-flow.ts';
import { createListArrivalsRoute } from './list-arrivals.ts';
import { createSendAgainRoute } from './send-again.ts';

/** Creates the routes for the arrivals of flows. */
export function createArrivalsRoutes(deps: TriggerDeps & ReplicaDeps): Route[] {
  return tagRoutes('flow triggers', [onReplica(createListArrivalsRoute, deps), createSendAgainRoute(deps)]);
}
