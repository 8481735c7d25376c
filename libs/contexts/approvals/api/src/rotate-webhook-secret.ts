import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { rotateWebhookSecret } from '@steward/approvals';
import { recordAudit } from '@steward/audit';
import type { ApprovalsDeps } from './approvals-deps.ts';
import { presentSaved, viewWorkflow } from './present-workflow.ts';
import { RotateWebhookSecretBody, SavedWorkflowAnswer, WorkflowParams } from './workflow-schemas.ts';

export function createRotateWebhookSecretRoute(deps: ApprovalsDeps): Route {
  return defineRoute({
    operationId: 'rotateApprovalWebhookSecret',
    method: 'post',
    path: '/api/v1/approval-workflows/{workflow_id}/webhook-secret/rotate',
    permissions: ['manage_approval_workflows'],
    summary: 'Replace the signing secret of a workflow’s receivers. The next delivery is signed with the new secret.',
    params: WorkflowParams,
    body: RotateWebhookSecretBody,
    bodyOptional: true,
    responses: {
      200: {
        description: 'The workflow with its new secret.',
        name: 'SavedApprovalWorkflow',
        schema: SavedWorkflowAnswer,
      },
    },
    audit: { action: 'rotate_secret', resourceType: 'approval_workflow' },
    handler: async ({ params, body, principal, audit }) => {
      const { accountId } = principal;
      const key = { accountId, id: params.workflow_id };
      const overlapSeconds = body.overlap_seconds ?? 0;
      const rotated = await transact(deps, async (trx) => {
        const outcome = await rotateWebhookSecret(trx, key, overlapSeconds, deps.secretBoxes.webhook);
        if (outcome.kind !== 'rotated') throw new AppError(outcome.kind);
        await recordAudit(trx, audit({ resourceId: key.id, details: { overlap_seconds: overlapSeconds } }));
        return outcome;
      });
      return {
        status: 200,
        body: presentSaved(rotated.workflow, rotated.webhookSecret, viewWorkflow(deps, principal)),
      };
    },
  });
}
