import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface BareProcess {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** Runs the baseline as a separate process, so that both sides have their own event loop. It prints its port. */
export async function startBareProcess(file: string, args: readonly string[] = []): Promise<BareProcess> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, pid: child.pid ?? 0, stop: () => void child.kill() };
}
