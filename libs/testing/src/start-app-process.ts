import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname, resolve } from 'node:path';
import { bareEnvironment } from './bare-environment.ts';
import { eventually } from './eventually.ts';

export interface AppProcess {
  readonly pid: number;
  readonly healthPort: number;
  /** Returns all output printed so far. */
  readOutput(): string;
  /** Kills the process with SIGKILL: no handler runs, nothing is released. */
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** Name of the variable with the folder of the current bundles, set by a run that has built them. */
export const TEST_BUNDLES = 'STEWARD_TEST_BUNDLES';

/** Starts an app from its main file as a separate process, as in production. */
export async function startAppProcess(
  main: string,
  environment: Readonly<Record<string, string>>,
): Promise<AppProcess> {
  const child = spawn(process.execPath, [chooseMain(main)], {
    env: { ...bareEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const exited = once(child, 'exit');
  const started = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`the app ended: ${output}`);
    return output.split('\n').find((line) => line.includes('service.started'));
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    pid: child.pid ?? 0,
    healthPort: (JSON.parse(started) as { health_port: number }).health_port,
    readOutput: () => output,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}

/**
 * Returns the bundle of the app if the run has built it, because it starts in a quarter of the time that a thousand
 * source files take; otherwise the main file.
 */
function chooseMain(main: string): string {
  const bundles = process.env[TEST_BUNDLES];
  const app = basename(dirname(dirname(main)));
  return bundles === undefined ? main : resolve(bundles, app, 'main.js');
}
