import type { AnyDatabase } from '@steward/database';
import { findRequest, type ApprovalRequest, type ApprovalWaits } from '@steward/approvals';
import type { ToolCallDeps, ToolCallVerdict } from '@steward/tool-calls';
import type { OpenRequests } from '@steward/api';
import type { McpCall } from '../tool.ts';

export type HoldDeps = ToolCallDeps & {
  readonly waits: ApprovalWaits;
  readonly openRequests: Pick<OpenRequests, 'waits'>;
};

type Pending = Extract<ToolCallVerdict, { readonly kind: 'pending' }>;

/** Maximum wait without progress notifications: nearly every client times out after 60 s, unless it gets them. */
const SILENT_WAIT_SECONDS = 45;
const PROGRESS_EVERY_SECONDS = 10;

/**
 * Waits for the outcome as long as the workflow and the call allow and the client stays connected. Sends progress
 * notifications if the client requested them; otherwise, the wait is shorter than the timeout of clients. Without a
 * free slot (LIM-9), it returns at once, and the caller has to ask for the outcome later.
 */
export async function waitForRequest(
  deps: Pick<HoldDeps, 'db' | 'waits' | 'openRequests'>,
  call: McpCall,
  pending: Pending,
): Promise<ApprovalRequest> {
  const waits = Math.min(pending.waitSeconds, call.waitSeconds ?? Infinity) > 0;
  const leave = waits ? deps.openRequests.waits.enterIfFree(call.caller.principal) : undefined;
  if (leave === undefined) return readRequest(deps.db, pending.request);
  return waitInPlace(deps, call, pending).finally(leave);
}

async function waitInPlace(
  { db, waits }: Pick<HoldDeps, 'db' | 'waits'>,
  { signal, reportProgress, waitSeconds: wanted = Infinity }: McpCall,
  { request, waitSeconds: allowed }: Pending,
): Promise<ApprovalRequest> {
  const waitSeconds = Math.min(allowed, wanted);
  if (reportProgress === undefined) {
    await waits.wait(request.id, Math.min(waitSeconds, SILENT_WAIT_SECONDS), signal);
    return readRequest(db, request);
  }
  let latest = request;
  for (let waited = 0; waited < waitSeconds && !signal.aborted; waited += PROGRESS_EVERY_SECONDS) {
    const message = `Waiting for approval (request ${request.id}).`;
    await reportProgress({ progress: waited, total: waitSeconds, message });
    await waits.wait(request.id, Math.min(PROGRESS_EVERY_SECONDS, waitSeconds - waited), signal);
    latest = await readRequest(db, request);
    if (latest.status !== 'pending') break;
  }
  return latest;
}

export async function readRequest(
  db: AnyDatabase,
  { accountId, id }: Pick<ApprovalRequest, 'accountId' | 'id'>,
): Promise<ApprovalRequest> {
  const request = await findRequest(db, { accountId, id });
  if (request === undefined) throw new Error('the request no longer exists');
  return request;
}
