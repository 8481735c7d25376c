import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createPoster, type Poster, type PosterOptions, type PostResult } from '../http/create-poster.ts';
import { startRawServer as openRawServer, type RawServer } from './raw-server.ts';

/**
 * Timeout of a poster that is meant to time out. Short, because those tests wait for it; long enough that on a busy
 * machine, a timer is never a whole timeout late.
 */
export const SHORT_TIMEOUT_MS = 1500;
/** Timeout of every other poster: an expected response must not fail because the machine is busy. */
export const TIMEOUT_MS = 60_000;

const closing: (() => Promise<unknown>)[] = [];

/** Registers a function that `closeOpened` calls, to close what a test opened. */
export function closeLater(close: () => Promise<unknown>): void {
  closing.push(close);
}

export async function closeOpened(): Promise<void> {
  // Posters are closed first: otherwise they would report the closing of the servers.
  for (const close of closing.splice(0).reverse()) await close();
}

export function openPoster(options: Partial<PosterOptions> = {}): Poster {
  const poster = createPoster({ timeoutMs: TIMEOUT_MS, guard: undefined, ...options });
  closeLater(() => poster.close());
  return poster;
}

export function post(poster: Poster, url: string): Promise<PostResult> {
  return poster.post({ url, headers: { 'x-test': '1' }, body: Buffer.from('{}') });
}

/**
 * Returns the result of `work`, and its delay after a timer of `ms` that began with it: a busy machine delays both
 * alike.
 */
export async function measureLateness<T>(ms: number, work: () => Promise<T>): Promise<{ result: T; lateMs: number }> {
  const due = delay(ms).then(() => performance.now());
  const result = await work();
  const endedAt = performance.now();
  return { result, lateMs: endedAt - (await due) };
}

export async function startRawServer(serve: (socket: Socket, index: number) => void): Promise<RawServer> {
  const server = await openRawServer(serve);
  closeLater(() => server.close());
  return server;
}

/** Runs the source as a separate process; resolves with the port it prints. `stop` suspends the process. */
export async function startServerProcess(source: string): Promise<{ readonly port: number; stop(): void }> {
  const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
  closeLater(() => {
    child.kill('SIGKILL');
    return once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(line.toString()), stop: () => void child.kill('SIGSTOP') };
}

/** Sends the piece repeatedly until the connection is closed. */
export function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 50);
  socket.once('close', () => clearInterval(timer));
}
