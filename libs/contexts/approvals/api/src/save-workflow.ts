import type { Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { createWorkflow, updateWorkflowFields } from '@steward/approvals';
import { recordAudit } from '@steward/audit';
import { refuseSave, hideAddress } from '@steward/api';
import type { ApprovalsDeps } from './approvals-deps.ts';
import { presentSaved, viewWorkflow } from './present-workflow.ts';
import { readWorkflowBody } from './read-workflow-body.ts';
import { requireUnnamed } from './require-unnamed.ts';
import { CreateWorkflowBody, SavedWorkflowAnswer, UpdateWorkflowBody, WorkflowParams } from './workflow-schemas.ts';

export function createCreateWorkflowRoute(deps: ApprovalsDeps): Route {
  return defineRoute({
    operationId: 'createApprovalWorkflow',
    method: 'post',
    path: '/api/v1/approval-workflows',
    permissions: ['manage_approval_workflows'],
    summary: 'Create an approval workflow, which defines approvers and a quorum.',
    description: 'If the workflow has webhook receivers, their signing secret is returned only in this response.',
    body: CreateWorkflowBody,
    bodyExample: { name: 'Production changes', approver_roles: ['admin'], quorum: 1, expires_seconds: 3600 },
    responses: { 201: { description: 'The workflow.', name: 'SavedApprovalWorkflow', schema: SavedWorkflowAnswer } },
    audit: { resourceType: 'approval_workflow' },
    handler: async ({ body, principal, audit, traceparent }) => {
      const { accountId } = principal;
      const patch = { ...(await readWorkflowBody(body, accountId, deps)), name: body.name.trim() };
      const webhookSecret = body.approval_config?.webhook_secret;
      const saved = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const outcome = await createWorkflow(trx, hints, { accountId, patch, webhookSecret }, deps.secretBoxes.webhook);
        if (outcome.kind !== 'saved') throw refuseSave(outcome);
        await recordAudit(trx, audit({ resourceId: outcome.workflow.id, details: describeChange(body) }));
        return outcome;
      });
      return {
        status: 201,
        body: presentSaved(saved.workflow, saved.webhookSecret, viewWorkflow(deps, principal)),
      };
    },
  });
}

export function createUpdateWorkflowRoute(deps: ApprovalsDeps): Route {
  return defineRoute({
    operationId: 'updateApprovalWorkflow',
    method: 'patch',
    path: '/api/v1/approval-workflows/{workflow_id}',
    permissions: ['manage_approval_workflows'],
    summary: 'Update an approval workflow; omitted fields keep their values.',
    description:
      'Changes also apply to pending requests, with two exceptions: the times of their escalation and expiry remain the same, and a raised quorum applies only to new requests. If the quorum is lowered, pending requests that now have enough approvals are approved.',
    params: WorkflowParams,
    body: UpdateWorkflowBody,
    bodyExample: { require_comment: true },
    responses: { 200: { description: 'The workflow.', name: 'SavedApprovalWorkflow', schema: SavedWorkflowAnswer } },
    audit: { resourceType: 'approval_workflow' },
    handler: async ({ params, body, principal, audit, traceparent }) => {
      const { accountId } = principal;
      const patch = await readWorkflowBody(body, accountId, deps);
      const save = { accountId, id: params.workflow_id, patch, webhookSecret: body.approval_config?.webhook_secret };
      const saved = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const outcome = await updateWorkflowFields(trx, hints, save, deps.secretBoxes.webhook);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind !== 'saved') throw refuseSave(outcome);
        const { formerName } = outcome;
        if (formerName !== undefined) await requireUnnamed(trx, accountId, formerName);
        await recordAudit(trx, audit({ resourceId: save.id, details: describeChange(body) }));
        return outcome;
      });
      return {
        status: 200,
        body: presentSaved(saved.workflow, saved.webhookSecret, viewWorkflow(deps, principal)),
      };
    },
  });
}

/** Returns the fields that were sent, without the secret, and without the paths of addresses. */
function describeChange({
  approval_config: config,
  channel_configs: channels,
  ...fields
}: Static<typeof UpdateWorkflowBody>) {
  const { webhook_secret: secret, webhook_url: url } = config ?? {};
  return {
    ...fields,
    ...(channels && {
      channel_configs: channels.map(({ kind, url: own, webhook_url: other = '' }) => ({
        kind,
        url: hideAddress(own ?? other),
      })),
    }),
    ...(config && {
      approval_config: {
        ...(url === undefined ? {} : { webhook_url: url === null ? null : hideAddress(url) }),
        webhook_secret_changed: secret !== undefined,
      },
    }),
  };
}
