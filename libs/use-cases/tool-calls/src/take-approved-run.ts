import { transact } from '@steward/database';
import { claimRun, readRun, type ApprovalRequest, type ApprovedRun } from '@steward/approvals';
import type { ToolCallDeps } from './decide-tool-call.ts';

/**
 * Claims the call of an approved request, or returns the state of a call that was claimed before: only the caller that
 * claims the call makes it. Returns undefined if there is no call that the service has to make.
 */
export async function takeApprovedRun(
  deps: Pick<ToolCallDeps, 'db' | 'broker' | 'clock'>,
  request: ApprovalRequest,
  traceparent: string,
): Promise<ApprovedRun | undefined> {
  const known = await readRun(deps.db, request);
  return known ?? transact({ ...deps, traceparent }, (trx) => claimRun(trx, request));
}
