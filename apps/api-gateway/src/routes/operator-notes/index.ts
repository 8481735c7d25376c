import type { Route } from '@steward/http';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { createSendOperatorNoteRoute } from './send.ts';

/** Notes of operators to agents (decisions.md section 3). */
export function createOperatorNotesRoutes(deps: GatewayDeps): Route[] {
  return [createSendOperatorNoteRoute(deps)];
}
