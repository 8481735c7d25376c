import { randomUUID } from 'node:crypto';
import { beginTrace, describeTrace } from '@steward/crypto';
import { transact } from '@steward/database';
import {
  ClaimError,
  claimExecution,
  describeReport,
  finishExecution,
  type ExecutionEnd,
  type ExecutionRow,
} from '@steward/flows';
import { inSpan, type OpenSpan, type SpanStart } from '@steward/telemetry';
import { attemptExecution } from './attempt-execution.ts';
import { createExecutionLog } from './execution-log.ts';
import { redactJson } from './redact-json.ts';
import { writePersistently } from './write-persistently.ts';
import { keepLease } from './lease-keeper.ts';
import type { Attempt, EndReason, Outcome, RunDeps } from './run.ts';
import type { Turns } from './turns.ts';

type Claim = Pick<Attempt, 'execution' | 'token'>;

/** Runs the next execution from PENDING to its terminal status. Returns false if no waiting execution may run now. */
export async function runNextExecution(deps: RunDeps, turns: Turns, shutdown: AbortSignal): Promise<boolean> {
  const claim = await claimNext(deps, turns);
  if (claim === undefined) return false;
  turns.serve(claim.execution.account_id);
  const { execution } = claim;
  await inSpan(describeRun(execution), async (span) => {
    // Spans within the run are children of the run's span or, if it has none, of the execution's span.
    const traceparent = span?.traceparent ?? execution.traceparent;
    const logger = deps.logger.child(describeTrace(traceparent));
    await runClaimed({ ...deps, logger }, { ...claim, execution: { ...execution, traceparent } }, shutdown, span);
  });
  return true;
}

function describeRun({
  id,
  flow_id: flowId,
  account_id: accountId,
  traceparent: parent,
}: Claim['execution']): SpanStart {
  const attributes = { 'steward.execution.id': id, 'steward.flow.id': flowId, 'steward.account.id': accountId };
  return { name: 'run flow', kind: 'consumer', parent, attributes };
}

async function claimNext(deps: RunDeps, turns: Turns): Promise<Claim | undefined> {
  const token = randomUUID();
  const { accountLimit, leaseSeconds, places, workerId } = deps;
  const turn = { servedLast: turns.servedLast(), avoided: turns.avoided() };
  const request = { token, workerId, leaseSeconds, accountLimit, places, ...turn, now: deps.clock.now() };
  try {
    const execution = await transact({ ...deps, traceparent: beginTrace() }, (trx, hints) =>
      claimExecution(trx, hints, request, deps.options),
    );
    return execution && { execution, token };
  } catch (error) {
    // Avoids the execution for a while; otherwise it would be chosen again and again, and no other one would start.
    if (error instanceof ClaimError) turns.avoid(error.executionId);
    throw error;
  }
}

async function runClaimed(
  deps: RunDeps,
  { execution, token }: Claim,
  shutdown: AbortSignal,
  span: OpenSpan | undefined,
): Promise<void> {
  const lease = { executionId: execution.id, token, leaseSeconds: deps.leaseSeconds };
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
  const log = createExecutionLog(deps, { execution, maxBytes: deps.maxLogBytes });
  try {
    const outcome = await attemptExecution(deps, { execution, token, log, signal: controller.signal, end });
    if (endReason === 'lease_lost') return;
    const finished = await endExecution(
      deps,
      { execution, token, log },
      endReason === undefined ? outcome : { ...keepEvidence(outcome), ...describeEnd(endReason) },
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const [status, failureCategory] = [finished?.status ?? 'lost', finished?.failure_category ?? null];
    deps.onFinished({ status, failureCategory, seconds });
    span?.set({
      'steward.execution.status': status,
      'steward.execution.failure_category': failureCategory ?? undefined,
    });
    deps.logger.info('execution.finished', {
      account_id: execution.account_id,
      execution_id: execution.id,
      flow_id: execution.flow_id,
      duration_ms: Math.round(seconds * 1000),
      outcome: status,
      failure_category: failureCategory,
    });
  } finally {
    keeper.stop();
    shutdown.removeEventListener('abort', onShutdown);
  }
}

/** Returns the evidence of a run that was ended from outside. */
function keepEvidence({ evidenceReceipt }: Outcome): Partial<Outcome> {
  return evidenceReceipt === undefined ? {} : { evidenceReceipt };
}

function describeEnd(reason: Exclude<EndReason, 'lease_lost'>): Outcome {
  if (reason === 'stopped')
    return { status: 'STOPPED', failureCategory: 'cancelled', errorMessage: 'stopped on request' };
  const [failureCategory, errorMessage] =
    reason === 'timeout'
      ? (['timeout', 'The execution took longer than the flow’s timeout_seconds.'] as const)
      : (['runner_error', 'The worker was shut down while this execution ran; executions are not repeated.'] as const);
  return { status: 'FAILED', failureCategory, errorMessage };
}

/** Masks the run's secrets, which the agent's result or a quoted error may contain. */
function hideSecrets(outcome: Outcome, log: Attempt['log']): Outcome {
  return {
    ...outcome,
    errorMessage: outcome.errorMessage === null ? null : log.redact(outcome.errorMessage),
    ...('result' in outcome ? { result: redactJson(outcome.result, log.redact) } : {}),
  };
}

async function endExecution(
  deps: RunDeps,
  run: Pick<Attempt, 'execution' | 'token' | 'log'>,
  found: Outcome,
): Promise<ExecutionRow | undefined> {
  // The log and the row use the same time, so that both agree on whether a report is due.
  const outcome = { ...hideSecrets(found, run.log), now: deps.clock.now() };
  await logReport(run, outcome);
  if (outcome.errorMessage !== null) await run.log.write('end', outcome.errorMessage, 'error').catch(() => undefined);
  await run.log.write('end', `execution ${outcome.status}`).catch(() => undefined);
  await run.log
    .flush()
    .catch((error: unknown) => deps.logger.warn('execution.log_not_stored', { execution_id: run.execution.id, error }));
  const key = { executionId: run.execution.id, token: run.token };
  // The run is over, and its outcome must not be lost if the database restarts; the lease is extended in the meantime.
  const finished = await writePersistently(() =>
    transact({ ...deps, traceparent: run.execution.traceparent }, (trx, hints) =>
      finishExecution(trx, hints, key, outcome, deps.options),
    ),
  );
  return finished.kind === 'finished' ? finished.execution : undefined;
}

async function logReport({ execution, log }: Pick<Attempt, 'execution' | 'log'>, end: ExecutionEnd): Promise<void> {
  const run = { status: end.status, result: end.result, finished_at: end.now, reporting: execution.reporting };
  for (const { text, level } of describeReport(run)) await log.write('reporting', text, level).catch(() => undefined);
}
