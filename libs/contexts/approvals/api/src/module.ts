import type { DueTasks } from '@steward/database';
import { tagRoutes } from '@steward/http';
import type { Logger } from '@steward/process';
import { sealStoredWorkflows } from '@steward/approvals';
import { createSealAddresses, onReplica, type Module, type ReplicaDeps } from '@steward/api';
import { createReviewLoop, type ReviewDeps } from './ai/review-loop.ts';
import type { WaitingDeps } from './approvals-deps.ts';
import { createBypassWorkflowRoute, createEndBypassRoute } from './bypass-workflow.ts';
import { createLinkRoutes } from './decide-by-link.ts';
import { createCancelRequestRoute, createDecideRequestRoute } from './decide-request.ts';
import { createDeleteWorkflowRoute } from './delete-workflow.ts';
import { createDueLoops } from './due-loop.ts';
import { createReceiptLoop } from './receipt-loop.ts';
import { createListRequestsRoute, createReadRequestRoute } from './read-requests.ts';
import { createListWorkflowsRoute, createReadWorkflowRoute } from './read-workflows.ts';
import { createRotateWebhookSecretRoute } from './rotate-webhook-secret.ts';
import { createStuckLoop } from './stuck-loop.ts';
import { createCreateWorkflowRoute, createUpdateWorkflowRoute } from './save-workflow.ts';

/** Creates the module of approvals: workflows, requests and votes (docs/contract/approvals.md). */
export function createApprovalsModule(
  deps: WaitingDeps & ReviewDeps & ReplicaDeps & { readonly logger: Logger; readonly dueTasks: DueTasks },
): Module {
  return {
    routes: tagRoutes('approvals', [
      createCreateWorkflowRoute(deps),
      createListWorkflowsRoute(deps),
      createReadWorkflowRoute(deps),
      createUpdateWorkflowRoute(deps),
      createDeleteWorkflowRoute(deps),
      createRotateWebhookSecretRoute(deps),
      createBypassWorkflowRoute(deps),
      createEndBypassRoute(deps),
      onReplica(createListRequestsRoute, deps),
      createReadRequestRoute(deps),
      createDecideRequestRoute(deps),
      createCancelRequestRoute(deps),
      ...createLinkRoutes(deps),
    ]),
    components: [
      deps.waits,
      ...createDueLoops(deps),
      createStuckLoop(deps),
      createReceiptLoop(deps),
      createReviewLoop(deps),
      createSealAddresses({
        of: 'workflows',
        seal: (signal) => sealStoredWorkflows(deps.db, deps.secretBoxes.webhook, signal),
        logger: deps.logger,
      }),
    ],
  };
}
