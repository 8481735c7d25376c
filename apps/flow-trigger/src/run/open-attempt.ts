import { extendLease, findRunnableFlow, loadWorkspaceFiles, openRun, type OpenedRun } from '@steward/flows';
import type { AnyTransaction } from '@steward/database';
import { listSecretForms } from '@steward/process';
import { RunFailure } from './run-failure.ts';
import type { Attempt, OpenedAttempt, RunDeps } from './run.ts';

type OpenDeps = Pick<RunDeps, 'db' | 'flowBox' | 'leaseSeconds'>;

/**
 * Reads all data of an attempt in one transaction that extends the lease first. Once the lease has expired, the
 * database returns no rows, even if no other worker has taken over the execution. Without the extension, a slow worker
 * could find no flow, no secrets and no files.
 * @throws RunFailure
 */
export function openAttempt(deps: OpenDeps, attempt: Attempt): Promise<OpenedAttempt> {
  const { execution, token } = attempt;
  return deps.db.transaction().execute(async (trx) => {
    const held = await extendLease(trx, { executionId: execution.id, token, leaseSeconds: deps.leaseSeconds });
    if (held === 'lost') {
      attempt.end('lease_lost');
      throw new RunFailure('runner_error', 'the worker lost the lease of the execution before it started');
    }
    const opened = await openFlow(deps, attempt, trx);
    return { ...opened, files: await loadWorkspaceFiles(trx, execution) };
  });
}

/**
 * Reads the flow and the secrets of a run, and masks the secrets in the log of the run before its first program starts.
 */
async function openFlow(
  { flowBox }: OpenDeps,
  { execution, token, log }: Attempt,
  trx: AnyTransaction,
): Promise<OpenedRun> {
  const flow = await findRunnableFlow(trx, execution);
  if (flow === undefined) throw new RunFailure('setup_failed', 'The flow was deleted.');
  const outcome = await openRun(trx, { executionId: execution.id, token }, flow, flowBox);
  if (outcome.kind === 'missing') {
    throw new RunFailure(
      'setup_failed',
      `The flow refers to the secret "${outcome.name}", which does not exist in its account.`,
    );
  }
  if (outcome.kind === 'invalid')
    throw new RunFailure('setup_failed', `"${outcome.field}" of the flow ${outcome.problem}.`);
  for (const secret of listSecretForms(outcome.run.secrets.flatMap(splitLines))) log.hide(secret);
  return outcome.run;
}

/** Returns a secret and each of its lines: a log consists of lines, so each line of a multi-line key is masked. */
function splitLines(secret: string): string[] {
  return [secret, ...secret.split(/\r?\n/)];
}
