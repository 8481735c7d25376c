import { findRequestOfCall, type ApprovalOptions, type ApprovalRequest } from '@steward/approvals';
import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import { describeIdentity, type IdentifiedCall } from './describe-held-call.ts';
import type { ToolCall } from './tool-call.ts';

export interface HeldRequestDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly approvals: ApprovalOptions;
}

/**
 * Returns the request of a held call, for a caller that does not know the id of the request because it lost the
 * response to its call. Undefined if the call would create a request or is allowed.
 */
export function findHeldRequest(
  deps: HeldRequestDeps,
  call: IdentifiedCall & Pick<ToolCall, 'accountId' | 'traceparent'>,
): Promise<ApprovalRequest | undefined> {
  const { accountId, traceparent } = call;
  return transact({ ...deps, traceparent }, (trx) =>
    findRequestOfCall(trx, { ...describeIdentity(call), accountId }, deps.approvals),
  );
}
