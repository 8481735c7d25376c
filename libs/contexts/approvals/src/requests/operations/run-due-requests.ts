import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { mailApprovers } from '../../links/operations/mail-approvers.ts';
import { findWorkflow } from '../../workflows/store/approval-workflow.store.ts';
import { escalateRequest, lockDueRequests } from '../store/approval-request.store.ts';
import { expireRequest, type ApprovalOptions } from './resolve-request.ts';

const BATCH_SIZE = 50;

/** Numbers of due requests that were processed, by outcome. */
export interface DueResult {
  readonly expired: number;
  readonly escalated: number;
}

/** Expires requests that were not decided in time, and escalates those that wait for too long. */
export async function runDueRequests(
  trx: AnyTransaction,
  hints: HintSink,
  options: ApprovalOptions,
): Promise<DueResult> {
  const due = await lockDueRequests(trx, BATCH_SIZE);
  let expired = 0;
  for (const request of due) {
    if (request.isOverdue) {
      await expireRequest(trx, hints, request, options);
      expired += 1;
    } else {
      await escalateRequest(trx, request);
      const workflow = await findWorkflow(trx, { accountId: request.accountId, id: request.workflowId });
      if (workflow !== undefined) await mailApprovers(trx, hints, { request, workflow, isEscalation: true }, options);
    }
  }
  return { expired, escalated: due.length - expired };
}
