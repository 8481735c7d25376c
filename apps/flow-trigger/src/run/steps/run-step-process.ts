import { RunFailure } from '../run-failure.ts';
import type { StepContext } from '../run.ts';
import type { RunnerCommand, RunnerExit } from '../../runner/runner.ts';

/** Runs one program of a step and writes its output to the execution's log. */
export function runStepProcess(
  run: StepContext,
  step: string,
  argv: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  more: Pick<RunnerCommand, 'stdin' | 'seesTemporaryFolders' | 'reachesRepository'> = {},
): Promise<RunnerExit> {
  return run.sandbox.run({
    argv,
    environment,
    signal: run.signal,
    onLine: (line, stream) => run.log.write(step, line, stream === 'stderr' ? 'warn' : 'info'),
    ...more,
  });
}

/** Checks the exit of a program. @throws RunFailure unless the program exited with code 0 */
export function requireSuccess(exit: RunnerExit, category: 'setup_failed' | 'agent_error', what: string): void {
  if (exit.kind === 'exited' && exit.code === 0) return;
  if (exit.kind !== 'not_started') {
    const end = exit.kind === 'exited' ? `ended with exit code ${exit.code}` : `was terminated by ${exit.signal}`;
    const met = exit.limit === undefined ? '' : `; it reached its limit of ${exit.limit}`;
    throw new RunFailure(category, `${what} ${end}${met}`);
  }
  throw new RunFailure('setup_failed', `${what} could not be started: ${exit.reason}`);
}
