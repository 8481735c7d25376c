import { RunFailure } from '../run-failure.ts';
import type { Run } from '../run-steps.ts';
import type { RunnerExit } from '../runner/runner.ts';

/** Runs one program of a run with its output as lines of the execution's log. */
export function execute(
  run: Run,
  step: string,
  argv: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  stdin?: string,
): Promise<RunnerExit> {
  return run.sandbox.run({
    argv,
    environment,
    signal: run.signal,
    onLine: (line, stream) => run.log.write(step, line, stream === 'stderr' ? 'warn' : 'info'),
    ...(stdin === undefined ? {} : { stdin }),
  });
}

/** @throws RunFailure for every end but exit code 0 */
export function requireSuccess(exit: RunnerExit, category: 'setup_failed' | 'agent_error', what: string): void {
  if (exit.kind === 'exited' && exit.code === 0) return;
  if (exit.kind === 'exited') throw new RunFailure(category, `${what} ended with exit code ${exit.code}`);
  if (exit.kind === 'killed') throw new RunFailure(category, `${what} was ended by ${exit.signal}`);
  throw new RunFailure('setup_failed', `${what} could not be started: ${exit.reason}`);
}
