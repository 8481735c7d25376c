import { randomUUID } from 'node:crypto';
import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Clock, Logger } from '@steward/runtime';
import {
  claimExecution,
  findRunnableFlow,
  finishExecution,
  markRunning,
  type ClaimOutcome,
  type ExecutionEnd,
  type ExecutionRow,
  type FlowWriteOptions,
  type RunnableFlow,
} from '@steward/slice-flows';
import { issueExecutionToken } from '@steward/slice-gateway';
import { createExecutionLog, type ExecutionLog } from './execution-log.ts';
import { keepLease, type EndReason } from './lease-keeper.ts';
import { RunFailure } from './run-failure.ts';
import { runSteps } from './run-steps.ts';
import type { Runner, Sandbox } from './runner/runner.ts';
import { prepareWorkspace, removeWorkspace } from './steps/prepare-workspace.ts';

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
    keeper.stop();
    if (endReason === 'lease_lost') return { kind: 'ran', accountId: execution.account_id };
    const finished = await endRun(
      deps,
      { execution, token, log },
      endReason === undefined ? outcome : describeEnd(endReason),
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

type Outcome = Omit<ExecutionEnd, 'now'>;

interface Attempt {
  readonly execution: ExecutionRow;
  readonly token: string;
  readonly log: ExecutionLog;
  readonly signal: AbortSignal;
  readonly end: (reason: EndReason) => void;
}

async function attemptRun(deps: RunDeps, attempt: Attempt): Promise<Outcome> {
  const { execution, token, log } = attempt;
  const flow = await findRunnableFlow(deps.db, execution.flow_id);
  if (flow === undefined) return failed('setup_failed', 'The flow was deleted.');
  const timer = setTimeout(() => attempt.end('timeout'), flow.timeout_seconds * 1000);
  const workspace = await prepareWorkspace(deps.workDirectory, execution.id);
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await deps.runner.open({ executionId: execution.id, workspace, signal: attempt.signal });
    const result = await runSteps(deps.db, {
      execution,
      flow,
      workspace,
      log,
      sandbox,
      signal: attempt.signal,
      agentEnvironment: () => issueCredential(deps, attempt, flow),
      onRunning: async (prompt) => {
        if (!(await markRunning(deps.db, { executionId: execution.id, token, prompt }))) attempt.end('lease_lost');
        if (attempt.signal.aborted) throw new RunFailure('cancelled', 'the run was ended before its agent started');
      },
    });
    return {
      status: 'SUCCEEDED',
      failureCategory: null,
      errorMessage: null,
      ...(result === undefined ? {} : { result }),
    };
  } catch (error) {
    if (error instanceof RunFailure) return failed(error.category, error.message);
    deps.logger.error('execution.run_failed', { execution_id: execution.id, account_id: execution.account_id, error });
    return failed('runner_error', 'The worker failed to run this execution; its log of the same time has the reason.');
  } finally {
    clearTimeout(timer);
    await sandbox?.close();
    await removeWorkspace(workspace).catch((error: unknown) =>
      deps.logger.warn('execution.workspace_not_removed', { execution_id: execution.id, error }),
    );
  }
}

/** What lets the agent call back: a token that ends with the run at the latest. The log never shows it. */
async function issueCredential(deps: RunDeps, { execution, log }: Attempt, flow: RunnableFlow) {
  const token = await issueExecutionToken(deps.db, {
    accountId: execution.account_id,
    executionId: execution.id,
    sessionId: execution.runtime_session_id ?? '',
    flow: { id: flow.id, name: flow.name },
    expiresAt: new Date((execution.started_at ?? deps.clock.now()).getTime() + flow.timeout_seconds * 1000),
  });
  log.hide(token);
  return { STEWARD_TOKEN: token, ...(deps.apiUrl === undefined ? {} : { STEWARD_API_URL: deps.apiUrl }) };
}

function failed(category: NonNullable<Outcome['failureCategory']>, message: string): Outcome {
  return { status: 'FAILED', failureCategory: category, errorMessage: message };
}

function describeEnd(reason: Exclude<EndReason, 'lease_lost'>): Outcome {
  if (reason === 'stopped')
    return { status: 'STOPPED', failureCategory: 'cancelled', errorMessage: 'stopped on request' };
  if (reason === 'timeout') return failed('timeout', 'The execution took longer than the flow’s timeout_seconds.');
  return failed('runner_error', 'The worker was shut down while this execution ran; agents are not run twice.');
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
  const finished = await transact(deps, (trx, hints) =>
    finishExecution(
      trx,
      hints,
      { executionId: run.execution.id, token: run.token },
      { ...outcome, now: deps.clock.now() },
      deps.options,
    ),
  );
  return finished.kind === 'finished' ? finished.execution : undefined;
}
