import { tagRoutes, type Route } from '@steward/http';
import type { TriggerDeps } from '../triggers/start-flow.ts';
import { createListArrivalsRoute } from './list-arrivals.ts';
import { createSendAgainRoute } from './send-again.ts';

/** Arrivals of flows that name their source. */
export function createArrivalsRoutes(deps: TriggerDeps): Route[] {
  return tagRoutes('flow triggers', [createListArrivalsRoute(deps), createSendAgainRoute(deps)]);
}
