import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { findFreePort } from '@steward/local-servers';
import { bundlePath } from '../src/build/bundle-apps.ts';
import { MALLOC_SETTINGS, NODE_ARGUMENTS } from '../src/stack/runtime-options.ts';
import { waitHealthy } from '../src/stack/wait-healthy.ts';
import type { AppName } from '../src/workspace.ts';

export interface AppProcess {
  readonly pid: number;
  readonly healthUrl: string;
  stop(): Promise<void>;
  /** Kills the process. */
  kill(): Promise<void>;
}

/** Starts the real app as shipped: the bundle, the image's Node options, and its default log level. */
export async function startAppProcess(
  app: AppName,
  environment: Readonly<Record<string, string>>,
): Promise<AppProcess> {
  const scratch = mkdtempSync(resolve(tmpdir(), 'steward-bench-'));
  const logFile = resolve(scratch, 'app.log');
  // The output is written directly to a file: logging costs the app the same as in production, and does not load this
  // process.
  const log = openSync(logFile, 'a');
  const healthPort = await findFreePort();
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, bundlePath(app)], {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH ?? '',
      ...MALLOC_SETTINGS,
      HEALTH_HOST: '127.0.0.1',
      HEALTH_PORT: String(healthPort),
      ...environment,
    },
  });
  closeSync(log);
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  try {
    await waitHealthy(`http://127.0.0.1:${healthPort}/api/v1/health`, {
      deadlineMs: 30_000,
      signal: new AbortController().signal,
      isHopeless: () => child.exitCode !== null,
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${app} did not start: ${readFileSync(logFile, 'utf8').slice(-2000)}`, { cause: error });
  }
  const endWith = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
    rmSync(scratch, { recursive: true, force: true });
  };
  return {
    pid: child.pid ?? 0,
    healthUrl: `http://127.0.0.1:${healthPort}`,
    stop: () => endWith('SIGTERM'),
    kill: () => endWith('SIGKILL'),
  };
}
