import { spawn, type ChildProcess } from 'node:child_process';
import type { ServerUser } from './server-user.ts';
import { waitForAnswer } from './wait-for-answer.ts';

export interface ChildServerOptions {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly user: ServerUser | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  /** Resolves if the server responds, and rejects if it does not respond yet; receives the end of the server's log. */
  readonly probe: (log: string) => Promise<void>;
  /** Signal for an orderly shutdown. */
  readonly stopSignal: NodeJS.Signals;
  /** Called when the server ends unexpectedly. */
  readonly onExit?: (reason: string) => void;
}

export interface ChildServer {
  readonly pid: number;
  stop(): Promise<void>;
  /** Kills the server without a shutdown, as in a crash. */
  kill(): Promise<void>;
}

const STOP_DEADLINE_MS = 20_000;

/**
 * Starts a server as a child process and waits until it responds.
 * @throws an error with the end of the server's log if the server ends or does not respond in time
 */
export async function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  const { user } = options;
  const child = spawn(options.file, [...options.args], {
    // The server is not in the caller's process group, so that Ctrl-C reaches only the caller, which then stops its
    // servers in order.
    detached: true,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8', ...options.environment },
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  });
  let log = '';
  const collect = (data: Buffer): void => {
    log = `${log}${data.toString('utf8')}`.slice(-8000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  let ended: string | undefined;
  let expected = false;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = signal ?? `exit code ${code ?? 'unknown'}`;
    if (!expected) options.onExit?.(`${options.name} ended unexpectedly (${ended})`);
  });
  const endWith = (signal: NodeJS.Signals): Promise<void> => {
    expected = true;
    return endChild(child, signal);
  };
  try {
    await waitForAnswer(
      () => options.probe(log),
      () => ended,
    );
  } catch (error) {
    await endWith('SIGKILL');
    throw new Error(`${options.name} did not start: ${String(error)}\n${log.trim().split('\n').slice(-12).join('\n')}`);
  }
  return { pid: child.pid as number, stop: () => endWith(options.stopSignal), kill: () => endWith('SIGKILL') };
}

function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
    child.once('exit', () => {
      clearTimeout(killer);
      resolve();
    });
    child.kill(signal);
  });
}
