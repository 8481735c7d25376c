import { beginTrace } from '@steward/crypto';
import { transact, type DueTasks } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import {
  cancelRequestsOfExecutions,
  DUE_REQUESTS,
  listWaitingExecutions,
  runDueRequests,
  settleSufficientRequests,
  SUFFICIENT_REQUESTS,
  WAITING_CALLS,
} from '@steward/approvals';
import { listEndedExecutions } from '@steward/flows';
import { readApprovalOptions } from '@steward/api';
import type { ApprovalsDeps } from './approvals-deps.ts';

type DueDeps = ApprovalsDeps & { readonly logger: Logger; readonly dueTasks: DueTasks };

/**
 * Creates the tasks that expire and escalate requests in the background, approve requests that now have enough
 * approvals, and cancel the requests of ended executions. Every process with the API runs these tasks; a process locks
 * the requests that it changes.
 */
export function createDueLoops(deps: DueDeps): Component[] {
  const { dueTasks } = deps;
  return [
    dueTasks.add({
      name: 'approvals due',
      due: DUE_REQUESTS,
      run: async (signal) => {
        while (!signal.aborted && (await runDue(deps)) > 0);
      },
    }),
    dueTasks.add({ name: 'approvals sufficient', due: SUFFICIENT_REQUESTS, run: () => settleSufficient(deps) }),
    dueTasks.add({ name: 'approvals of executions', due: WAITING_CALLS, run: () => cancelEnded(deps) }),
  ];
}

async function runDue(deps: DueDeps): Promise<number> {
  const committer = { ...deps, traceparent: beginTrace() };
  const due = await transact(committer, (trx, hints) => runDueRequests(trx, hints, readApprovalOptions(deps)));
  const count = due.expired + due.escalated;
  if (count > 0) deps.logger.info('approvals.due', { ...due });
  return count;
}

/** Approves requests that now have enough approvals because a quorum was lowered. */
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
