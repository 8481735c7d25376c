import { transact } from '@steward/database';
import { claimRun, readRun, type ApprovalRequest, type ApprovedRun } from '@steward/slice-approvals';
import type { ToolCallDeps } from './decide-tool-call.ts';

/**
 * What is to be done about the call of an approved request: whoever is told that it is claimed makes it, and nobody else ever
 * will. Undefined: the service has nothing to make.
 */
export async function takeApprovedRun(
  deps: Pick<ToolCallDeps, 'db' | 'broker' | 'clock'>,
  request: ApprovalRequest,
  traceparent: string,
): Promise<ApprovedRun | undefined> {
  const known = await readRun(deps.db, request);
  return known ?? transact({ ...deps, traceparent }, (trx) => claimRun(trx, request));
}
