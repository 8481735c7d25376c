import type { HintSink } from '@steward/contracts';
import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import { findWorkflow } from '../../workflows/store/approval-workflow.store.ts';
import type { ApprovalRequest, RequestKey, VoteDecision, VoteChannel } from '../approval-request.ts';
import { readQuorum } from '../rules/outlook.ts';
import { refuseVoter, type VoteRefusal, type Voter } from '../rules/may-vote.ts';
import { lockRequest } from '../store/approval-request.store.ts';
import { countApprovals, insertVote } from '../store/approval-vote.store.ts';
import { endRequest, expireRequest, type ApprovalOptions } from './resolve-request.ts';

export interface CastVote extends RequestKey {
  readonly voter: Voter;
  readonly decision: VoteDecision;
  readonly comment: string | null;
  readonly via: VoteChannel;
}

export type VoteOutcome =
  /** The vote was counted; the request shows whether the vote decided it. */
  | { readonly kind: 'voted'; readonly request: ApprovalRequest }
  | { readonly kind: 'not_found' | 'already_voted' | 'comment_required' | VoteRefusal }
  /** The request shows how it ended, and by whom. An overdue request is expired first. */
  | { readonly kind: 'already_resolved'; readonly request: ApprovalRequest };

/**
 * Counts a vote, and ends the request if the vote decides it: one decline decides a request, and so do as many
 * approvals as the quorum requires. Concurrent votes on one request are serialized, so that at most one of them ends
 * it. The current workflow determines who may vote.
 */
export async function castVote(
  trx: AnyTransaction,
  hints: HintSink,
  { voter, decision, comment, via, ...key }: CastVote,
  options: ApprovalOptions,
): Promise<VoteOutcome> {
  const request = await lockRequest(trx, key);
  if (request === undefined) return { kind: 'not_found' };
  const workflow = await findWorkflow(trx, { accountId: key.accountId, id: request.workflowId });
  const refusal = refuseVoter(workflow, request, voter);
  if (refusal !== undefined) return { kind: refusal };
  if (request.status !== 'pending') return { kind: 'already_resolved', request };
  const at = await readDatabaseTime(trx);
  if (at >= request.expiresAt) {
    return { kind: 'already_resolved', request: await expireRequest(trx, hints, request, options) };
  }
  if (workflow?.requireComment === true && comment === null) return { kind: 'comment_required' };
  const { userId, display } = voter;
  if (!(await insertVote(trx, request.id, { userId, display, decision, comment, via, at }))) {
    return { kind: 'already_voted' };
  }
  const status = decision === 'decline' ? 'declined' : 'approved';
  const quorum = workflow === undefined ? request.quorum : readQuorum(workflow, request);
  const isDecided = status === 'declined' || (await countApprovals(trx, request.id)) >= quorum;
  if (!isDecided) return { kind: 'voted', request };
  const resolution = { status, actor: { kind: 'user', id: userId }, comment, at } as const;
  return { kind: 'voted', request: await endRequest(trx, hints, request, resolution, options) };
}
