import {
  findRunnableFlow,
  markRunning,
  type ExecutionEnd,
  type ExecutionRow,
  type RunnableFlow,
} from '@steward/slice-flows';
import { issueExecutionToken } from '@steward/slice-gateway';
import { captureEvidence } from './evidence/capture-evidence.ts';
import type { ExecutionLog } from './execution-log.ts';
import type { EndReason } from './lease-keeper.ts';
import type { RunDeps } from './run-execution.ts';
import { RunFailure } from './run-failure.ts';
import { runSteps } from './run-steps.ts';
import type { Sandbox } from './runner/runner.ts';
import { prepareWorkspace, removeWorkspace, type Workspace } from './steps/prepare-workspace.ts';

export type Outcome = Omit<ExecutionEnd, 'now'>;

export interface Attempt {
  readonly execution: ExecutionRow;
  readonly token: string;
  readonly log: ExecutionLog;
  /** Aborted by timeout, stop, shutdown or a lost lease. */
  readonly signal: AbortSignal;
  readonly end: (reason: EndReason) => void;
}

/** Everything a run does on this machine, from an empty workspace to its removal. Never throws for what the run itself did. */
export async function attemptRun(deps: RunDeps, attempt: Attempt): Promise<Outcome> {
  const flow = await findRunnableFlow(deps.db, attempt.execution.flow_id);
  if (flow === undefined) return failed('setup_failed', 'The flow was deleted.');
  const timer = setTimeout(() => attempt.end('timeout'), flow.timeout_seconds * 1000);
  let workspace: Workspace | undefined;
  try {
    workspace = await prepareWorkspace(deps.workDirectory, attempt.execution.id);
    return await runInSandbox(deps, attempt, { flow, workspace }, () => clearTimeout(timer));
  } catch (error) {
    return explainFailure(deps, attempt, error);
  } finally {
    clearTimeout(timer);
    if (workspace !== undefined) await removeQuietly(deps, attempt, workspace);
  }
}

interface Place {
  readonly flow: RunnableFlow;
  readonly workspace: Workspace;
}

async function runInSandbox(deps: RunDeps, attempt: Attempt, place: Place, onStepsEnded: () => void): Promise<Outcome> {
  const { execution, log, signal } = attempt;
  const { workspace } = place;
  let isAgentStarted = false;
  let outcome: Outcome;
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await deps.runner.open({ executionId: execution.id, workspace, signal });
    const result = await runSteps(deps, {
      ...place,
      execution,
      log,
      sandbox,
      signal,
      agentEnvironment: () => issueCredential(deps, attempt, place.flow),
      onRunning: async (prompt) => {
        await enterRunning(deps, attempt, prompt);
        isAgentStarted = true;
      },
    });
    const kept = result === undefined ? {} : { result };
    outcome = { status: 'SUCCEEDED', failureCategory: null, errorMessage: null, ...kept };
  } catch (error) {
    outcome = explainFailure(deps, attempt, error);
  } finally {
    onStepsEnded();
    // Before the evidence is read: nothing of the run changes it any more.
    await sandbox?.close();
  }
  return isAgentStarted ? addEvidence(deps, attempt, place, outcome) : outcome;
}

async function enterRunning(deps: RunDeps, attempt: Attempt, prompt: string): Promise<void> {
  const run = { executionId: attempt.execution.id, token: attempt.token, prompt };
  if (!(await markRunning(deps.db, run))) attempt.end('lease_lost');
  if (attempt.signal.aborted) throw new RunFailure('cancelled', 'the run was ended before its agent started');
}

/** A failed run has evidence too; evidence that cannot be packed does not change how the run ended. */
async function addEvidence(deps: RunDeps, attempt: Attempt, place: Place, outcome: Outcome): Promise<Outcome> {
  const { execution, log } = attempt;
  try {
    const evidenceReceipt = await captureEvidence(deps, { ...place, execution, log });
    return evidenceReceipt === undefined ? outcome : { ...outcome, evidenceReceipt };
  } catch (error) {
    deps.logger.error('execution.evidence_failed', {
      execution_id: execution.id,
      account_id: execution.account_id,
      error,
    });
    await log.write('evidence', 'the evidence could not be stored', 'error').catch(() => undefined);
    return outcome;
  }
}

/** What lets the agent call back: a token that ends with the run at the latest. The log never shows it. */
async function issueCredential(
  deps: RunDeps,
  { execution, log }: Attempt,
  flow: RunnableFlow,
): Promise<Record<string, string>> {
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

function explainFailure(deps: RunDeps, { execution }: Attempt, error: unknown): Outcome {
  if (error instanceof RunFailure) return failed(error.category, error.message);
  deps.logger.error('execution.run_failed', { execution_id: execution.id, account_id: execution.account_id, error });
  return failed('runner_error', 'The worker failed to run this execution; its log of the same time has the reason.');
}

function failed(category: NonNullable<Outcome['failureCategory']>, message: string): Outcome {
  return { status: 'FAILED', failureCategory: category, errorMessage: message };
}

async function removeQuietly(deps: RunDeps, { execution }: Attempt, workspace: Workspace): Promise<void> {
  await removeWorkspace(workspace).catch((error: unknown) =>
    deps.logger.warn('execution.workspace_not_removed', { execution_id: execution.id, error }),
  );
}
