import { beginTrace } from '@steward/crypto';
import { transact } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { listAllPending, mailStuck, readOutlooks } from '@steward/slice-approvals';
import { readApprovalOptions, type ApprovalsDeps } from './approvals-deps.ts';

type StuckDeps = ApprovalsDeps & { readonly logger: Logger };

/** Between two looks; whoever reads a request is told at once. */
const EVERY_SECONDS = 5;
/** The newest ones of the deployment: of those before them was told. */
const LOOKS_AT = 1_000;

/**
 * Tells of each request that cannot be approved any more as things are (APR-24): the log, once for each process, and by mail those who can
 * change its workflow.
 */
export function createStuckLoop(deps: StuckDeps): Component {
  const { db, logger } = deps;
  let known: ReadonlySet<string> = new Set();
  return createBackgroundTask({
    name: 'approvals stuck',
    everySeconds: EVERY_SECONDS,
    logger,
    run: async () => {
      const pending = await listAllPending(db, LOOKS_AT);
      const outlooks = await readOutlooks(db, pending);
      const stuck = pending.filter(({ id }) => outlooks.get(id)?.isReachable === false);
      for (const request of stuck.filter(({ id }) => !known.has(id))) {
        const { id, accountId, workflowId } = request;
        const reason = outlooks.get(id)?.stuckReason ?? '';
        await transact({ ...deps, traceparent: beginTrace() }, (trx, hints) =>
          mailStuck(trx, hints, { request, reason }, readApprovalOptions(deps)),
        );
        logger.warn('approvals.stuck', { approval_request_id: id, account_id: accountId, workflow_id: workflowId });
      }
      known = new Set(stuck.map(({ id }) => id));
    },
  });
}
