import { transact } from '@steward/database';
import { claimRun, readRun, type ApprovalRequest, type ApprovedRun } from '@steward/approvals';
import type { ToolCallDeps } from './decide-tool-call.ts';

/**
 * Decides what to do about the call of an approved request: only the caller that gets the claim makes the call.
 * Undefined if there is no call for the service to make.
 */
export async function takeApprovedRun(
  deps: Pick<ToolCallDeps, 'db' | 'broker' | 'clock'>,
  request: ApprovalRequest,
  traceparent: string,
): Promise<ApprovedRun | undefined> {
  const known = await readRun(deps.db, request);
  return known ?? transact({ ...deps, traceparent }, (trx) => claimRun(trx, request));
}
