import { beginTrace } from '@steward/crypto';
import { transact } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import {
  cancelRequestsOfExecutions,
  listWaitingExecutions,
  runDueRequests,
  settleSufficientRequests,
} from '@steward/approvals';
import { listEndedExecutions } from '@steward/flows';
import { readApprovalOptions } from '@steward/api';
import type { ApprovalsDeps } from './approvals-deps.ts';

type DueDeps = ApprovalsDeps & { readonly logger: Logger };

/**
 * Interval of checks; short, because the queries read indexes that are mostly empty. Due changes happen within this
 * time plus their own duration.
 */
const EVERY_SECONDS = 1;

/**
 * Creates the task that expires and escalates requests in the background, approves those that now have enough
 * approvals, and withdraws those of ended executions. Every process with the API runs it; each row is claimed.
 */
export function createDueLoop(deps: DueDeps): Component {
  return createBackgroundTask({
    name: 'approvals due',
    everySeconds: EVERY_SECONDS,
    logger: deps.logger,
    run: async (signal) => {
      while (!signal.aborted && (await runDue(deps)) > 0);
      await settleSufficient(deps);
      await cancelEnded(deps);
    },
  });
}

async function runDue(deps: DueDeps): Promise<number> {
  const committer = { ...deps, traceparent: beginTrace() };
  const due = await transact(committer, (trx, hints) => runDueRequests(trx, hints, readApprovalOptions(deps)));
  const count = due.expired + due.escalated;
  if (count > 0) deps.logger.info('approvals.due', { ...due });
  return count;
}

/** Approves requests that have enough approvals since a quorum was lowered. */
async function settleSufficient(deps: DueDeps): Promise<void> {
  const committer = { ...deps, traceparent: beginTrace() };
  const approved = await transact(committer, (trx, hints) =>
    settleSufficientRequests(trx, hints, readApprovalOptions(deps)),
  );
  if (approved > 0) deps.logger.info('approvals.settled', { approved });
}

async function cancelEnded(deps: DueDeps): Promise<void> {
  const waiting = await listWaitingExecutions(deps.db);
  const ended = waiting.length === 0 ? [] : await listEndedExecutions(deps.db, waiting);
  if (ended.length === 0) return;
  const committer = { ...deps, traceparent: beginTrace() };
  const cancelled = await transact(committer, (trx, hints) =>
    cancelRequestsOfExecutions(trx, hints, ended, readApprovalOptions(deps)),
  );
  if (cancelled > 0) deps.logger.info('approvals.cancelled', { cancelled });
}
