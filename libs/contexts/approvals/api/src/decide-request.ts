import { AppError, refusePermission } from '@steward/contracts';
import { transact, type AnyDatabase } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { cancelRequest, castVote, findRequest, readOutlooks } from '@steward/approvals';
import { recordAudit } from '@steward/audit';
import { readApprovalOptions } from '@steward/api';
import { refuseResolved, refuseVote, type WaitingDeps } from './approvals-deps.ts';
import { readAndPresent } from './present-request.ts';
import { readComment } from './read-comment.ts';
import { CancelBody, DecideBody, RequestAnswer, RequestParams } from './request-schemas.ts';

export function createDecideRequestRoute(deps: WaitingDeps): Route {
  const options = readApprovalOptions(deps);
  return defineRoute({
    operationId: 'decideApprovalRequest',
    method: 'post',
    path: '/api/v1/approval-requests/{approval_request_id}/decide',
    isAct: true,
    closedCode: 'not_an_approver',
    permissions: ['decide_approvals'],
    summary: 'Approve or decline a pending call.',
    description:
      'The vote is attributed to the person who owns the credential. A key that is bound to an agent cannot decide.',
    params: RequestParams,
    body: DecideBody,
    bodyExample: { decision: 'approve', comment: 'The branch is merged.' },
    responses: { 200: { description: 'The request.', name: 'ApprovalRequest', schema: RequestAnswer } },
    audit: { action: ['approve', 'decline'], resourceType: 'approval_request' },
    handler: async ({ params, body, principal, audit, traceparent }) => {
      const { accountId, userId, username: display, role } = principal;
      const id = params.approval_request_id;
      const { decision } = body;
      const comment = readComment(body);
      const voter = { userId, display, role };
      const outcome = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const vote = await castVote(trx, hints, { accountId, id, voter, decision, comment, via: 'api' }, options);
        if (vote.kind === 'voted') {
          await recordAudit(trx, audit({ action: decision, resourceId: id, details: { status: vote.request.status } }));
        }
        return vote;
      });
      deps.waits.wake(id);
      // The error is thrown after the commit, because an overdue request may have expired in the transaction.
      if (outcome.kind === 'self_approval') throw await refuseOwn(deps.db, { accountId, id });
      if (outcome.kind !== 'voted') throw refuseVote(outcome);
      return { status: 200, body: await readAndPresent(deps.db, outcome.request) };
    },
  });
}

/**
 * Returns the error for a person's decision about their own call. The error states who may decide, and which setting
 * would allow the decision, because the only user of an account is likely to get this error.
 */
async function refuseOwn(db: AnyDatabase, key: { accountId: string; id: string }): Promise<AppError> {
  const request = await findRequest(db, key);
  const outlook = request && (await readOutlooks(db, [request])).get(key.id);
  const mayDecide = outlook?.mayDecide ?? [];
  const others =
    mayDecide.length === 0 ? 'at present, nobody else may decide on it' : `${mayDecide.join(', ')} may decide on it`;
  const message = `The call is your own, and ${others}. Requesters may decide on their own calls only if the workflow sets "allow_self_approval": true.`;
  return new AppError('self_approval', { message, detail: { setting: 'allow_self_approval', may_decide: mayDecide } });
}

export function createCancelRequestRoute(deps: WaitingDeps): Route {
  const options = readApprovalOptions(deps);
  return defineRoute({
    operationId: 'cancelApprovalRequest',
    method: 'post',
    path: '/api/v1/approval-requests/{approval_request_id}/cancel',
    openTo: ['agent_key'],
    permissions: ['view_approvals'],
    summary: 'Cancel an approval request that no longer needs a decision.',
    description:
      'A request can be cancelled by the caller whose call needs the approval, and by everyone who may decide approvals.',
    params: RequestParams,
    body: CancelBody,
    bodyOptional: true,
    responses: { 200: { description: 'The request.', name: 'ApprovalRequest', schema: RequestAnswer } },
    audit: { action: 'cancel', resourceType: 'approval_request' },
    handler: async ({ params, body, principal, audit, traceparent }) => {
      const { accountId, userId, apiKeyId = null } = principal;
      const id = params.approval_request_id;
      const isDecider = principal.permissions.has('decide_approvals');
      const cancellation = {
        accountId,
        id,
        actor: { kind: 'user', id: userId },
        comment: readComment(body),
        mayCancel: (request) => isDecider || (request.requesterUserId === userId && request.apiKeyId === apiKeyId),
      } satisfies Parameters<typeof cancelRequest>[2];
      const request = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const outcome = await cancelRequest(trx, hints, cancellation, options);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'not_allowed') throw refusePermission(principal, 'decide_approvals');
        if (outcome.kind === 'already_resolved') throw refuseResolved(outcome.request);
        await recordAudit(trx, audit({ resourceId: id }));
        return outcome.request;
      });
      deps.waits.wake(id);
      return { status: 200, body: await readAndPresent(deps.db, request) };
    },
  });
}
