import { randomUUID } from 'node:crypto';
import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Clock, Logger } from '@steward/runtime';
import {
  claimExecution,
  finishExecution,
  type ClaimOutcome,
  type ExecutionRow,
  type FlowWriteOptions,
} from '@steward/slice-flows';
import { attemptRun, type Outcome } from './attempt-run.ts';
import type { ModelAccess } from './builtin/model-directory.ts';
import type { EvidenceOptions } from './evidence/capture-evidence.ts';
import { createExecutionLog, type ExecutionLog } from './execution-log.ts';
import { retry } from './retry.ts';
import { keepLease, type EndReason } from './lease-keeper.ts';
import type { CloneOptions } from './steps/clone-repository.ts';
import type { Runner } from './runner/runner.ts';

export interface RunDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runner: Runner;
  readonly options: FlowWriteOptions;
  readonly workerId: string;
  readonly workDirectory: string;
  readonly leaseSeconds: number;
  /** Executions one account may run at once, over all workers. */
  readonly accountLimit: number;
  readonly maxLogBytes: number;
  readonly clone: CloneOptions;
  readonly evidence: EvidenceOptions;
  /** Models the built-in agent can use, by their alias. */
  readonly models: ReadonlyMap<string, ModelAccess>;
  /** Where agents reach the API; undefined tells them nothing. */
  readonly apiUrl: string | undefined;
}

export type RunOutcome =
  { readonly kind: 'ran'; readonly accountId: string } | Exclude<ClaimOutcome, { kind: 'claimed' }>;

/** Takes one execution from PENDING to its terminal status, if it is to be had. */
export async function runExecution(deps: RunDeps, executionId: string, shutdown: AbortSignal): Promise<RunOutcome> {
  const token = randomUUID();
  const { accountLimit, leaseSeconds, workerId } = deps;
  const lease = { executionId, token, workerId, leaseSeconds };
  const claim = await transact(deps, (trx, hints) =>
    claimExecution(trx, hints, { ...lease, accountLimit, now: deps.clock.now() }, deps.options),
  );
  if (claim.kind !== 'claimed') return claim;
  const { execution } = claim;
  const startedAt = performance.now();
  const controller = new AbortController();
  let endReason: EndReason | undefined;
  const end = (reason: EndReason): void => {
    endReason ??= reason;
    controller.abort();
  };
  const onShutdown = (): void => end('shutdown');
  shutdown.addEventListener('abort', onShutdown, { once: true });
  const keeper = keepLease(deps, lease, end);
  const log = createExecutionLog(deps, {
    accountId: execution.account_id,
    sessionId: execution.runtime_session_id ?? '',
    maxBytes: deps.maxLogBytes,
  });
  try {
    const outcome = await attemptRun(deps, { execution, token, log, signal: controller.signal, end });
    if (endReason === 'lease_lost') return { kind: 'ran', accountId: execution.account_id };
    const finished = await endRun(
      deps,
      { execution, token, log },
      endReason === undefined ? outcome : { ...keepEvidence(outcome), ...describeEnd(endReason) },
    );
    deps.logger.info('execution.finished', {
      account_id: execution.account_id,
      execution_id: execution.id,
      flow_id: execution.flow_id,
      duration_ms: Math.round(performance.now() - startedAt),
      outcome: finished?.status ?? 'lost',
      failure_category: finished?.failure_category ?? null,
    });
  } finally {
    keeper.stop();
    shutdown.removeEventListener('abort', onShutdown);
  }
  return { kind: 'ran', accountId: execution.account_id };
}

/** Of a run that was ended from outside, what its agent had left as evidence is kept. */
function keepEvidence({ evidenceReceipt }: Outcome): Partial<Outcome> {
  return evidenceReceipt === undefined ? {} : { evidenceReceipt };
}

function describeEnd(reason: Exclude<EndReason, 'lease_lost'>): Outcome {
  if (reason === 'stopped')
    return { status: 'STOPPED', failureCategory: 'cancelled', errorMessage: 'stopped on request' };
  const [failureCategory, errorMessage] =
    reason === 'timeout'
      ? (['timeout', 'The execution took longer than the flow’s timeout_seconds.'] as const)
      : (['runner_error', 'The worker was shut down while this execution ran; agents are not run twice.'] as const);
  return { status: 'FAILED', failureCategory, errorMessage };
}

async function endRun(
  deps: RunDeps,
  run: { readonly execution: ExecutionRow; readonly token: string; readonly log: ExecutionLog },
  outcome: Outcome,
): Promise<ExecutionRow | undefined> {
  if (outcome.errorMessage !== null) await run.log.write('end', outcome.errorMessage, 'error').catch(() => undefined);
  await run.log.write('end', `execution ${outcome.status}`).catch(() => undefined);
  await run.log
    .flush()
    .catch((error: unknown) => deps.logger.warn('execution.log_not_stored', { execution_id: run.execution.id, error }));
  const key = { executionId: run.execution.id, token: run.token };
  // The run is over and must not be lost to a database that restarts just now; the lease is kept meanwhile.
  const finished = await retry(() =>
    transact(deps, (trx, hints) =>
      finishExecution(trx, hints, key, { ...outcome, now: deps.clock.now() }, deps.options),
    ),
  );
  return finished.kind === 'finished' ? finished.execution : undefined;
}
