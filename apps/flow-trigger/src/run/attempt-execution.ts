import { markRunning } from '@steward/flows';
import { issueExecutionToken } from '@steward/identity';
import type { FileOwner } from '../workspace/open-folder.ts';
import { captureEvidence } from '../evidence/capture-evidence.ts';
import { describeNetwork } from './describe-network.ts';
import { openAttempt } from './open-attempt.ts';
import { RunFailure } from './run-failure.ts';
import type { Attempt, OpenedAttempt, Outcome, RunDeps } from './run.ts';
import { runSteps } from './run-steps.ts';
import type { Sandbox } from '../runner/runner.ts';
import { prepareWorkspace, removeWorkspace, type Workspace } from '../workspace/prepare-workspace.ts';

/**
 * Performs the part of an execution that happens on this machine, from creating an empty workspace to removing the
 * workspace. Does not throw: an error of a step, or of the service itself, becomes the outcome of the execution.
 */
export async function attemptExecution(deps: RunDeps, attempt: Attempt): Promise<Outcome> {
  let opened: OpenedAttempt;
  try {
    opened = await openAttempt(deps, attempt);
  } catch (error) {
    return explainFailure(deps, attempt, error);
  }
  const timer = setTimeout(() => attempt.end('timeout'), opened.flow.timeout_seconds * 1000);
  let workspace: Workspace | undefined;
  try {
    workspace = await prepareWorkspace(deps.workDirectory, attempt.execution.id);
    return await runInSandbox(deps, attempt, { ...opened, workspace }, () => clearTimeout(timer));
  } catch (error) {
    return explainFailure(deps, attempt, error);
  } finally {
    clearTimeout(timer);
    if (workspace !== undefined) await removeQuietly(deps, attempt, workspace);
  }
}

interface Prepared extends OpenedAttempt {
  readonly workspace: Workspace;
  readonly owner?: FileOwner | undefined;
}

async function runInSandbox(
  deps: RunDeps,
  attempt: Attempt,
  prepared: Prepared,
  onStepsEnded: () => void,
): Promise<Outcome> {
  const { execution, log, signal } = attempt;
  const { workspace } = prepared;
  let isAgentStarted = false;
  let outcome: Outcome;
  let sandbox: Sandbox | undefined;
  try {
    const timeoutSeconds = prepared.flow.timeout_seconds;
    const network = describeNetwork(prepared, log);
    sandbox = await deps.runner.open({ executionId: execution.id, workspace, timeoutSeconds, signal, network });
    if (!sandbox.hasOwnNetwork) await tellShared(prepared, log);
    const result = await runSteps(deps, {
      ...prepared,
      execution,
      log,
      sandbox,
      signal,
      agentEnvironment: () => issueCredential(deps, attempt),
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
    // The sandbox is closed before the evidence is read, so that no program of the run can change the evidence.
    await sandbox?.close();
  }
  return isAgentStarted ? addEvidence(deps, attempt, { ...prepared, owner: sandbox?.owner }, outcome) : outcome;
}

/**
 * Warns if the network rules of a flow are not enforced on this worker. @throws RunFailure if the flow has network
 * secrets, which could not be added to requests
 */
async function tellShared({ flow, networkSecrets }: Prepared, log: Attempt['log']): Promise<void> {
  const way = 'this worker does not give runs their own network (FLOW_NETWORK)';
  if (networkSecrets.length > 0) throw new RunFailure('setup_failed', `network_secrets cannot be used: ${way}`);
  if (!flow.network_allow.includes('*')) await log.write('network', `network_allow is not enforced: ${way}`, 'warn');
}

async function enterRunning(deps: RunDeps, attempt: Attempt, prompt: string): Promise<void> {
  const run = { executionId: attempt.execution.id, token: attempt.token, prompt };
  if (!(await markRunning(deps.db, run))) attempt.end('lease_lost');
  if (attempt.signal.aborted) throw new RunFailure('cancelled', 'the run ended before its agent started');
}

/**
 * Adds the evidence of a run, even of a failed one, to its outcome; if the evidence cannot be stored, the outcome does
 * not change.
 */
async function addEvidence(deps: RunDeps, attempt: Attempt, prepared: Prepared, outcome: Outcome): Promise<Outcome> {
  const { execution, log } = attempt;
  try {
    const evidenceReceipt = await captureEvidence(deps, { ...prepared, execution, log });
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

/**
 * Issues the token with which the agent calls the API; it expires with the run at the latest. The value is never shown
 * in the log.
 */
async function issueCredential(deps: RunDeps, attempt: Attempt): Promise<Record<string, string>> {
  const { execution, log } = attempt;
  const token = await issueExecutionToken(deps.db, { executionId: execution.id, leaseToken: attempt.token });
  if (token === undefined) {
    attempt.end('lease_lost');
    throw new RunFailure('runner_error', 'the worker lost the lease of the execution before its agent started');
  }
  log.hide(token);
  return { STEWARD_TOKEN: token, ...(deps.apiUrl === undefined ? {} : { STEWARD_API_URL: deps.apiUrl }) };
}

function explainFailure(deps: RunDeps, { execution }: Attempt, error: unknown): Outcome {
  if (error instanceof RunFailure) return failed(error.category, error.message);
  deps.logger.error('execution.run_failed', { execution_id: execution.id, account_id: execution.account_id, error });
  return failed('runner_error', 'The worker failed to run this execution; the reason is in the log of the worker.');
}

function failed(category: NonNullable<Outcome['failureCategory']>, message: string): Outcome {
  return { status: 'FAILED', failureCategory: category, errorMessage: message };
}

async function removeQuietly(deps: RunDeps, { execution }: Attempt, workspace: Workspace): Promise<void> {
  await removeWorkspace(workspace).catch((error: unknown) =>
    deps.logger.warn('execution.workspace_not_removed', { execution_id: execution.id, error }),
  );
}
