import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { findWorkflow, saveBypass } from '@steward/approvals';
import { recordAudit } from '@steward/audit';
import { toStorableText } from '@steward/text';
import { requireFound } from '@steward/api';
import type { ApprovalsDeps } from './approvals-deps.ts';
import { presentWorkflow, viewWorkflow } from './present-workflow.ts';
import { BypassBody, WorkflowAnswer, WorkflowParams } from './workflow-schemas.ts';

export function createBypassWorkflowRoute(deps: Pick<ApprovalsDeps, 'db' | 'settings' | 'secretBoxes'>): Route {
  const { db } = deps;
  return defineRoute({
    operationId: 'startApprovalBypass',
    method: 'post',
    path: '/api/v1/approval-workflows/{workflow_id}/bypass',
    isAct: true,
    permissions: ['manage_approval_workflows'],
    summary: 'Approve all new requests of a workflow automatically, for a limited time.',
    description: 'Requests that are already pending remain pending. A new bypass replaces the active one.',
    params: WorkflowParams,
    body: BypassBody,
    bodyExample: { minutes: 30, reason: 'Incident 4711: approvers cannot be reached.' },
    responses: { 200: { description: 'The workflow.', name: 'ApprovalWorkflow', schema: WorkflowAnswer } },
    audit: { action: 'bypass', resourceType: 'approval_workflow' },
    handler: async ({ params, body, principal, audit }) => {
      const { accountId, userId } = principal;
      const key = { accountId, id: params.workflow_id };
      const reason = toStorableText(body.reason.trim());
      const workflow = await transact({ db }, async (trx) => {
        if (!(await saveBypass(trx, key, { minutes: body.minutes, reason, userId }))) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: key.id, details: { minutes: body.minutes, reason } }));
        return requireFound(await findWorkflow(trx, key));
      });
      return { status: 200, body: presentWorkflow(workflow, viewWorkflow(deps, principal)) };
    },
  });
}

export function createEndBypassRoute({ db }: Pick<ApprovalsDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'endApprovalBypass',
    method: 'delete',
    path: '/api/v1/approval-workflows/{workflow_id}/bypass',
    permissions: ['manage_approval_workflows'],
    summary: 'End a bypass. Without an active bypass, nothing changes.',
    params: WorkflowParams,
    responses: { 204: { description: 'The bypass has ended; approvers are asked again.' } },
    audit: { action: 'end_bypass', resourceType: 'approval_workflow' },
    handler: async ({ params, principal, audit }) => {
      const { accountId } = principal;
      const key = { accountId, id: params.workflow_id };
      await transact({ db }, async (trx) => {
        if (!(await saveBypass(trx, key, null))) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: key.id }));
      });
      return { status: 204 };
    },
  });
}
