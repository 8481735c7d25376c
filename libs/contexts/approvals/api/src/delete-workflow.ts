import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { removeWorkflow } from '@steward/approvals';
import { recordAudit } from '@steward/audit';
import { requireUnnamed } from './require-unnamed.ts';
import type { ApprovalsDeps } from './approvals-deps.ts';
import { WorkflowParams } from './workflow-schemas.ts';

export function createDeleteWorkflowRoute(deps: ApprovalsDeps): Route {
  return defineRoute({
    operationId: 'deleteApprovalWorkflow',
    method: 'delete',
    path: '/api/v1/approval-workflows/{workflow_id}',
    permissions: ['manage_approval_workflows'],
    summary: 'Delete an approval workflow, together with its receivers.',
    description: 'The workflow must have no pending requests, and the policy in force must not name it.',
    params: WorkflowParams,
    responses: { 204: { description: 'The workflow was deleted. Its past decisions remain readable.' } },
    audit: { resourceType: 'approval_workflow' },
    handler: async ({ params, principal: { accountId }, audit, traceparent }) => {
      const id = params.workflow_id;
      await transact({ ...deps, traceparent }, async (trx, hints) => {
        const outcome = await removeWorkflow(trx, hints, { accountId, id }, deps.secretBoxes.webhook);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'pending') {
          throw new AppError('conflict', { message: 'The workflow has pending requests.' });
        }
        await requireUnnamed(trx, accountId, outcome.workflow.name);
        await recordAudit(trx, audit({ resourceId: id, details: { name: outcome.workflow.name } }));
      });
      return { status: 204 };
    },
  });
}
