import { findRequestOfCall, type ApprovalRequest } from '@steward/approvals';
import { transact } from '@steward/database';
import { describeCounted, readHistory } from '@steward/policies';
import { judgeInForce, type ToolCallDeps } from './decide-tool-call.ts';
import { describeIdentity } from './describe-held-call.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * Returns the request of a held call, for a caller that lost the response to its call and therefore does not know the
 * id of the request. Undefined if there is none, if it no longer applies, or if the call may have been made without the
 * request: the policy allows it now, or the same call was made after the request was created.
 * @param options - `isAlwaysHeld` if calls of the tool are held even if the policy allows them
 */
export async function findHeldRequest(
  deps: ToolCallDeps,
  call: ToolCall,
  { isAlwaysHeld = false }: { readonly isAlwaysHeld?: boolean },
): Promise<ApprovalRequest | undefined> {
  const { policy, decision } = await judgeInForce(deps, call, () => false);
  if (decision.decision === 'allow' && !isAlwaysHeld) return undefined;
  const { accountId, traceparent } = call;
  const request = await transact({ ...deps, traceparent }, (trx) =>
    findRequestOfCall(trx, { ...describeIdentity(call), accountId }, deps.approvals),
  );
  // If the call was made, it is counted, and the policy may therefore no longer allow it.
  return request && policy.readsHistory && (await wasMadeSince(deps, call, request)) ? undefined : request;
}

/** Returns whether the same call was made after the request was created. */
async function wasMadeSince(
  { db, clock }: ToolCallDeps,
  call: ToolCall,
  { requestedAt }: ApprovalRequest,
): Promise<boolean> {
  const { history } = await readHistory(db, describeCounted(call.accountId, call));
  const seconds = (clock.now().getTime() - requestedAt.getTime()) / 1000;
  return history.some(({ isEqual, ageSeconds }) => isEqual && ageSeconds < seconds);
}
