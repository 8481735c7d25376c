import { tagRoutes, type Route } from '@steward/http';
import type { FlowDeps } from '../flow-deps.ts';
import { createDeleteFlowSecretRoute } from './delete-flow-secret.ts';
import { createListFlowSecretsRoute } from './list-flow-secrets.ts';
import { createReadFlowSecretRoute } from './read-flow-secret.ts';
import { createSaveFlowSecretRoute } from './save-flow-secret.ts';

export function createFlowSecretsRoutes(deps: FlowDeps): Route[] {
  return tagRoutes('flows', [
    createListFlowSecretsRoute(deps),
    createReadFlowSecretRoute(deps),
    createSaveFlowSecretRoute(deps),
    createDeleteFlowSecretRoute(deps),
  ]);
}
