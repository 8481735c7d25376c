import type { Route } from '@steward/http';
import { createCreateFlowRoute } from './create.ts';
import { createDeleteFlowRoute } from './delete.ts';
import { createExecutionEvidenceRoute } from './execution-evidence.ts';
import { createExecutionLogsRoute } from './execution-logs.ts';
import { createReadExecutionRoute } from './execution-read.ts';
import { createRetryExecutionRoute } from './execution-retry.ts';
import { createStopExecutionRoute } from './execution-stop.ts';
import { createListExecutionsRoute } from './executions-list.ts';
import type { TriggerDeps } from './flow-deps.ts';
import { createListFlowsRoute } from './list.ts';
import { createReadFlowRoute } from './read.ts';
import { createRotateFlowSecretRoute } from './rotate-secret.ts';
import { createTriggerFlowRoute } from './trigger.ts';
import { createUpdateFlowRoute } from './update.ts';

export function createFlowsRoutes(deps: TriggerDeps): Route[] {
  return [
    createListFlowsRoute(deps),
    createCreateFlowRoute(deps),
    createReadFlowRoute(deps),
    createUpdateFlowRoute(deps),
    createDeleteFlowRoute(deps),
    createRotateFlowSecretRoute(deps),
    createTriggerFlowRoute(deps),
    createListExecutionsRoute(deps),
    createReadExecutionRoute(deps),
    createExecutionLogsRoute(deps),
    createExecutionEvidenceRoute(deps),
    createStopExecutionRoute(deps),
    createRetryExecutionRoute(deps),
  ];
}
