import { createGroupGuard } from './group-guard.ts';
import { runProgram } from './run-program.ts';
import type { Runner } from './runner.ts';

export interface ProcessRunnerOptions {
  /** Between the polite signal and the one nobody can ignore. */
  readonly killAfterMs: number;
  /** Search path of the programs; nothing else of the worker's environment reaches them. */
  readonly path: string;
}

/** Runs programs as children of the worker, with its rights. They end with their run, and with the worker. */
export function createProcessRunner(options: ProcessRunnerOptions): Runner {
  const guard = createGroupGuard();
  return {
    open({ workspace }) {
      const own = { PATH: options.path, HOME: workspace.home, TMPDIR: workspace.home, LANG: 'C.UTF-8' };
      const place = { directory: workspace.directory, guard, killAfterMs: options.killAfterMs };
      return Promise.resolve({
        paths: { workspace: workspace.directory, promptFile: workspace.promptFile },
        run: (command) => runProgram(command, { ...place, environment: { ...command.environment, ...own } }),
        close: () => Promise.resolve(),
      });
    },
    // The guard of the worker that is gone has ended its groups.
    discard: () => Promise.resolve(),
    stop: () => guard.stop(),
  };
}
