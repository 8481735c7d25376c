import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

export interface BareExpress {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** The bare route as a process of its own, so that both sides have a core's worth of event loop. */
export async function startBareExpress(): Promise<BareExpress> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'bare-express.ts')], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, pid: child.pid ?? 0, stop: () => void child.kill() };
}
