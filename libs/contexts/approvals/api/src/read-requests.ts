import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import { findRequest, listRequests } from '@steward/approvals';
import { readAgentFilter, requireFound } from '@steward/api';
import type { ApprovalsDeps, WaitingDeps } from './approvals-deps.ts';
import { presentRequests, readAndPresent } from './present-request.ts';
import { RequestAnswer, RequestParams, RequestQuery, WaitQuery } from './request-schemas.ts';

export function createListRequestsRoute({ db }: Pick<ApprovalsDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listApprovalRequests',
    method: 'get',
    path: '/api/v1/approval-requests',
    openTo: ['agent_key'],
    permissions: ['view_approvals'],
    summary: 'List the approval requests of the account, newest first.',
    query: RequestQuery,
    responses: { 200: { description: 'A page of requests.', name: 'ApprovalRequest', schema: pageOf(RequestAnswer) } },
    handler: async ({ query, principal: { accountId, userId, role } }) => {
      const page = readIdPage(query);
      const found = await listRequests(db, {
        accountId,
        status: query.status,
        workflowId: query.workflow_id,
        managedAgentIds: await readAgentFilter(db, accountId, query.managed_agent_id),
        executionId: query.execution_id,
        runtimeSessionId: query.runtime_session_id,
        openTo: query.mine === true ? { userId, role } : undefined,
        ...page,
      });
      const shown = new Map((await presentRequests(db, found)).map((request) => [request.id, request]));
      return { status: 200, body: toIdPage(found, page.limit, ({ id }) => requireFound(shown.get(id))) };
    },
  });
}

export function createReadRequestRoute({
  db,
  waits,
  openRequests,
}: Pick<WaitingDeps, 'db' | 'waits' | 'openRequests'>): Route {
  return defineRoute({
    operationId: 'readApprovalRequest',
    method: 'get',
    path: '/api/v1/approval-requests/{approval_request_id}',
    openTo: ['agent_key'],
    permissions: ['view_approvals'],
    summary:
      'Read an approval request. With `wait`, the response is delayed until the request is no longer pending or the wait time is over.',
    params: RequestParams,
    query: WaitQuery,
    responses: { 200: { description: 'The request.', name: 'ApprovalRequest', schema: RequestAnswer } },
    handler: async ({ params, query, principal, signal }) => {
      const key = { accountId: principal.accountId, id: params.approval_request_id };
      let request = requireFound(await findRequest(db, key));
      if (request.status === 'pending' && (query.wait ?? 0) > 0) {
        const leave = openRequests.waits.enter(principal);
        await waits.wait(key.id, query.wait ?? 0, signal).finally(leave);
        request = requireFound(await findRequest(db, key));
      }
      return { status: 200, body: await readAndPresent(db, request) };
    },
  });
}
