import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { eventually } from '@steward/testing';

export interface DispatcherProcess {
  readonly healthPort: number;
  /** Everything it printed so far. */
  readOutput(): string;
  /** SIGKILL: no handler runs, nothing is given back. */
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
}

const MAIN = resolve(import.meta.dirname, '../main.ts');

/** The dispatcher as its own process, the way it is run in production. */
export async function startDispatcherProcess(
  environment: Readonly<Record<string, string>>,
): Promise<DispatcherProcess> {
  const child = spawn(process.execPath, [MAIN], {
    // Only what it is configured with: nothing of the test's own environment.
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const exited = once(child, 'exit');
  const started = await eventually(
    () => {
      if (child.exitCode !== null) throw new Error(`the dispatcher ended: ${output}`);
      return output.split('\n').find((line) => line.includes('service.started'));
    },
    { timeoutMs: 15_000 },
  );
  return {
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
