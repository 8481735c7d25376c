import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import { findWorkflow, listWorkflows } from '@steward/approvals';
import { requireFound } from '@steward/api';
import type { ApprovalsDeps } from './approvals-deps.ts';
import { presentWorkflow, viewWorkflow } from './present-workflow.ts';
import { WorkflowAnswer, WorkflowParams, WorkflowQuery } from './workflow-schemas.ts';

export function createListWorkflowsRoute(deps: Pick<ApprovalsDeps, 'db' | 'settings' | 'secretBoxes'>): Route {
  return defineRoute({
    operationId: 'listApprovalWorkflows',
    method: 'get',
    path: '/api/v1/approval-workflows',
    permissions: ['view_approvals'],
    summary: 'List the approval workflows of the account, newest first.',
    query: WorkflowQuery,
    responses: {
      200: { description: 'A page of workflows.', name: 'ApprovalWorkflow', schema: pageOf(WorkflowAnswer) },
    },
    handler: async ({ query, principal }) => {
      const { accountId } = principal;
      const page = readIdPage(query);
      const found = await listWorkflows(deps.db, { accountId, ...page });
      return {
        status: 200,
        body: toIdPage(found, page.limit, (workflow) => presentWorkflow(workflow, viewWorkflow(deps, principal))),
      };
    },
  });
}

export function createReadWorkflowRoute(deps: Pick<ApprovalsDeps, 'db' | 'settings' | 'secretBoxes'>): Route {
  return defineRoute({
    operationId: 'readApprovalWorkflow',
    method: 'get',
    path: '/api/v1/approval-workflows/{workflow_id}',
    permissions: ['view_approvals'],
    summary: 'Read an approval workflow.',
    params: WorkflowParams,
    responses: { 200: { description: 'The workflow.', name: 'ApprovalWorkflow', schema: WorkflowAnswer } },
    handler: async ({ params, principal }) => {
      const { accountId } = principal;
      const workflow = requireFound(await findWorkflow(deps.db, { accountId, id: params.workflow_id }));
      return { status: 200, body: presentWorkflow(workflow, viewWorkflow(deps, principal)) };
    },
  });
}
