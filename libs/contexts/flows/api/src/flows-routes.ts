import { onReplica, type ReplicaDeps } from '@steward/api';
import { tagRoutes, type Route } from '@steward/http';
import { createListFlowModelsRoute } from './choices/list-flow-models.ts';
import { createListFlowToolsRoute } from './choices/list-flow-tools.ts';
import { createCreateFlowRoute } from './create-flow.ts';
import { createDeleteFlowRoute } from './delete-flow.ts';
import { createExecutionEvidenceRoute } from './read-execution-evidence.ts';
import { createExecutionLogsRoute } from './read-execution-logs.ts';
import { createReadExecutionRoute } from './read-execution.ts';
import { createRetryExecutionRoute } from './retry-execution.ts';
import { createStopExecutionRoute } from './stop-execution.ts';
import { createListExecutionsRoute } from './list-executions.ts';
import type { WaitDeps } from './flow-deps.ts';
import { createExecutionVulnerabilitiesRoute } from './list-execution-vulnerabilities.ts';
import { createListFlowsRoute } from './list-flows.ts';
import { createReadFlowRoute } from './read-flow.ts';
import { createRotateFlowSecretRoute } from './rotate-flow-secret.ts';
import { createListFlowTemplatesRoute } from './templates/list-flow-templates.ts';
import { createUpdateFlowRoute } from './update-flow.ts';

export function createFlowsRoutes(deps: WaitDeps & ReplicaDeps): Route[] {
  return [
    ...tagRoutes('flows', [
      onReplica(createListFlowsRoute, deps),
      createListFlowModelsRoute(deps),
      createListFlowToolsRoute(deps),
      createListFlowTemplatesRoute(),
      createCreateFlowRoute(deps),
      createReadFlowRoute(deps),
      createUpdateFlowRoute(deps),
      createDeleteFlowRoute(deps),
      createRotateFlowSecretRoute(deps),
    ]),
    ...tagRoutes('flow executions', [
      onReplica(createListExecutionsRoute, deps),
      createReadExecutionRoute(deps),
      createExecutionLogsRoute(deps),
      createExecutionEvidenceRoute(deps),
      createExecutionVulnerabilitiesRoute(deps),
      createStopExecutionRoute(deps),
      createRetryExecutionRoute(deps),
    ]),
  ];
}
