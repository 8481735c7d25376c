import { beginTrace } from '@steward/crypto';
import { transact } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { listAllPending, mailStuck, readOutlooks, type ApprovalRequest, type Outlook } from '@steward/approvals';
import { readApprovalOptions } from '@steward/api';
import type { ApprovalsDeps } from './approvals-deps.ts';

type StuckDeps = ApprovalsDeps & { readonly logger: Logger };

/**
 * Interval between checks. The checks do not affect responses: a response that contains a request always shows its
 * current outlook.
 */
const EVERY_SECONDS = 5;
/**
 * Maximum number of requests per check. Each check continues where the previous check ended; after the last request,
 * the checks start over.
 */
const LOOKS_AT = 200;

/**
 * Creates the task that reports each request that currently cannot be approved (APR-24): in the log, once per process,
 * and by email to users who can change its workflow.
 */
export function createStuckLoop(deps: StuckDeps): Component {
  let after: string | undefined;
  /** Ids of the stuck requests of this round and of the previous one. */
  let [told, before] = [new Set<string>(), new Set<string>()];
  return createBackgroundTask({
    name: 'approvals stuck',
    everySeconds: EVERY_SECONDS,
    logger: deps.logger,
    run: async () => {
      const pending = await listAllPending(deps.db, { after, limit: LOOKS_AT });
      const outlooks = await readOutlooks(deps.db, pending);
      for (const request of pending) {
        const outlook = outlooks.get(request.id);
        if (outlook === undefined || outlook.isReachable) continue;
        if (!before.has(request.id)) await tell(deps, request, outlook);
        told.add(request.id);
      }
      after = pending.length < LOOKS_AT ? undefined : pending.at(-1)?.id;
      if (after === undefined) [told, before] = [new Set(), told];
    },
  });
}

async function tell(deps: StuckDeps, request: ApprovalRequest, { stuckReason }: Outlook): Promise<void> {
  const { id, accountId, workflowId } = request;
  await transact({ ...deps, traceparent: beginTrace() }, (trx, hints) =>
    mailStuck(trx, hints, { request, reason: stuckReason ?? '' }, readApprovalOptions(deps)),
  );
  deps.logger.warn('approvals.stuck', { approval_request_id: id, account_id: accountId, workflow_id: workflowId });
}
