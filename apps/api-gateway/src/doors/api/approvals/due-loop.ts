import { beginTrace } from '@steward/crypto';
import { transact } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import {
  cancelRequestsOfExecutions,
  listWaitingExecutions,
  runDueRequests,
  settleSufficientRequests,
} from '@steward/slice-approvals';
import { listEndedExecutions } from '@steward/slice-flows';
import { readApprovalOptions, type ApprovalsDeps } from './approvals-deps.ts';

type DueDeps = ApprovalsDeps & { readonly logger: Logger };

/** A look at indexes that are mostly empty: what is due happens within this time, and what it takes. */
const EVERY_SECONDS = 1;

/**
 * Expires requests, escalates them, approves those whose approvals suffice by now, and withdraws those of executions that are over, whoever asks or does not. Every process with the
 * API does; a row is claimed.
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

/** After a quorum was lowered. */
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
