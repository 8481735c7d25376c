import type { HintSink } from '@steward/contracts';
import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import { mailApprovers } from '../../links/operations/mail-approvers.ts';
import type { ApprovalWorkflow } from '../../workflows/approval-workflow.ts';
import { findWorkflow } from '../../workflows/store/approval-workflow.store.ts';
import type { AiVerdict, ApprovalRequest, RequestKey } from '../approval-request.ts';
import { lockDueReview, markAsked, saveVerdict } from '../store/ai-review.store.ts';
import { lockRequest } from '../store/approval-request.store.ts';
import { endRequest, expireRequest, type ApprovalOptions } from './resolve-request.ts';

/** A request that this process asks a model about. */
export interface ClaimedReview {
  readonly request: ApprovalRequest;
  readonly workflow: ApprovalWorkflow;
  /** Time in milliseconds after which the model's response is ignored. */
  readonly remainingMs: number;
}

/** A model that responded, as named in the outcome. */
export interface ReviewingModel {
  readonly id: string;
  readonly alias: string;
}

const TOO_LATE: AiVerdict = { decision: null, confidence: null, reason: 'No model responded in time.' };
const NOT_ASKED: AiVerdict = { decision: null, confidence: null, reason: 'The workflow no longer asks a model.' };

/**
 * Claims the next request that a model has to review. If the time for the review has expired, or the workflow or the
 * rule no longer allows a decision by a model, people are asked instead.
 */
export async function claimReview(
  trx: AnyTransaction,
  hints: HintSink,
  options: ApprovalOptions,
): Promise<ClaimedReview | 'given_up' | undefined> {
  const due = await lockDueReview(trx);
  if (due === undefined) return undefined;
  const { request, isLate, remainingMs } = due;
  const workflow = await findWorkflow(trx, { accountId: request.accountId, id: request.workflowId });
  if (isLate || workflow?.mode !== 'ai_first' || request.humanOnly) {
    await settleReview(trx, hints, { key: request, verdict: isLate ? TOO_LATE : NOT_ASKED, model: undefined }, options);
    return 'given_up';
  }
  await markAsked(trx, request);
  return { request, workflow, remainingMs };
}

/**
 * Stores the verdict of a model with the request. The verdict decides the request only if its confidence is high
 * enough, and the workflow and the rule still allow a decision by a model; otherwise people are asked. A request that
 * has ended in the meantime stays unchanged; an overdue request is expired.
 *
 * @returns whether the verdict decided the request
 */
export async function settleReview(
  trx: AnyTransaction,
  hints: HintSink,
  review: {
    readonly key: RequestKey;
    readonly verdict: AiVerdict;
    readonly model: ReviewingModel | undefined;
  },
  options: ApprovalOptions,
): Promise<boolean> {
  const { key, verdict, model } = review;
  const request = await lockRequest(trx, key);
  if (request === undefined || !(await saveVerdict(trx, key, verdict))) return false;
  const workflow = await findWorkflow(trx, { accountId: key.accountId, id: request.workflowId });
  const at = await readDatabaseTime(trx);
  if (at >= request.expiresAt) {
    await expireRequest(trx, hints, request, options);
    return false;
  }
  const status = decideBy(verdict, request, workflow);
  if (status !== undefined && model !== undefined) {
    const actor = { kind: 'ai', id: model.id, model: model.alias, confidence: verdict.confidence ?? 0 } as const;
    await endRequest(trx, hints, request, { status, actor, comment: verdict.reason, at }, options);
    return true;
  }
  if (workflow !== undefined) await mailApprovers(trx, hints, { request, workflow, isEscalation: false }, options);
  return false;
}

/** Returns the status that a verdict gives to its request; undefined if people have to decide. */
function decideBy(
  { decision, confidence }: AiVerdict,
  { humanOnly }: ApprovalRequest,
  workflow: ApprovalWorkflow | undefined,
): 'approved' | 'declined' | undefined {
  if (workflow?.mode !== 'ai_first' || humanOnly) return undefined;
  if (confidence === null || confidence < workflow.aiConfidenceThreshold) return undefined;
  if (decision === 'approve') return 'approved';
  return decision === 'decline' ? 'declined' : undefined;
}
