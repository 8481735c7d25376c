import { findRequestOfCall, type ApprovalRequest } from '@steward/approvals';
import { transact } from '@steward/database';
import { judgeInForce, type ToolCallDeps } from './decide-tool-call.ts';
import { describeIdentity } from './describe-held-call.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * Returns the request of a held call, for a caller that lost the response to its call and therefore does not know the
 * id of the request. Undefined if there is none, if it no longer applies, or if the policy allows the call, which may
 * then have been made without the request.
 * @param options - `isAlwaysHeld` if calls of the tool are held even if the policy allows them
 */
export async function findHeldRequest(
  deps: ToolCallDeps,
  call: ToolCall,
  { isAlwaysHeld = false }: { readonly isAlwaysHeld?: boolean },
): Promise<ApprovalRequest | undefined> {
  if (!isAlwaysHeld && (await isAllowed(deps, call))) return undefined;
  const { accountId, traceparent } = call;
  return transact({ ...deps, traceparent }, (trx) =>
    findRequestOfCall(trx, { ...describeIdentity(call), accountId }, deps.approvals),
  );
}

async function isAllowed(deps: ToolCallDeps, call: ToolCall): Promise<boolean> {
  const { decision } = await judgeInForce(deps, call, () => false);
  return decision.decision === 'allow';
}
