import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Readable, type Stream } from 'node:stream';
import { endsWithin } from '@steward/async';
import type { GroupGuard } from './group-guard.ts';
import { readLines } from './read-lines.ts';
import type { RunnerCommand, RunnerExit } from './runner.ts';

export interface ProcessOptions {
  readonly directory: string;
  /** All the variables the program gets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly guard: GroupGuard;
  /** Between the polite signal and the one nobody can ignore. */
  readonly killAfterMs: number;
  /** Descriptor 3 is a pipe on which the program tells how it goes. */
  readonly hasStatus?: boolean;
}

export interface ProcessEnd {
  readonly exit: RunnerExit;
  /** What came on descriptor 3. */
  readonly told: string;
}

const MAX_STATUS_BYTES = 16 * 1024;

/** How long output may still come after the program and its group are gone: a process that left the group may hold the pipe. */
const DRAIN_AFTER_EXIT_MS = 1000;

/**
 * Runs a program in a process group of its own. Its end is the group's end: what it left running is killed, so no
 * execution outlives itself.
 */
export async function runProcess(command: RunnerCommand, options: ProcessOptions): Promise<ProcessEnd> {
  if (command.signal.aborted) return { exit: { kind: 'killed', signal: 'SIGTERM' }, told: '' };
  const [file, ...args] = command.argv;
  const child = spawn(file, args, {
    cwd: options.directory,
    env: { ...options.environment },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', options.hasStatus === true ? 'pipe' : 'ignore'],
  }) as ChildProcessWithoutNullStreams;
  const { pid } = child;
  const status = collectStatus(child.stdio[3]);
  if (pid !== undefined) options.guard.watch(pid);
  const ended = waitForExit(child);
  const killer = watchAbort(child, command.signal, options.killAfterMs);
  child.stdin.on('error', () => undefined);
  child.stdin.end(command.stdin ?? '');
  const output = Promise.all([
    readLines(child.stdout, (line) => command.onLine(line, 'stdout')),
    readLines(child.stderr, (line) => command.onLine(line, 'stderr')),
  ]);
  // Awaited below; a failure before that must not count as unhandled.
  output.catch(() => undefined);
  const exit = await ended;
  killer.stop();
  killGroup(child, 'SIGKILL');
  if (pid !== undefined) options.guard.release(pid);
  const all = Promise.all([output, status.ended]);
  const drained = await endsWithin(all, DRAIN_AFTER_EXIT_MS);
  if (!drained) for (const stream of child.stdio) stream?.destroy();
  await output;
  return { exit, told: status.read() };
}

function collectStatus(stream: Stream | null | undefined): { readonly ended: Promise<void>; read(): string } {
  if (!(stream instanceof Readable)) return { ended: Promise.resolve(), read: () => '' };
  let told = '';
  const ended = new Promise<void>((resolve) => stream.once('close', () => resolve()).once('error', () => resolve()));
  stream.on('data', (data: Buffer) => (told = `${told}${data.toString('utf8')}`.slice(0, MAX_STATUS_BYTES)));
  return { ended, read: () => told };
}

function waitForExit(child: ChildProcess): Promise<RunnerExit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not_started', reason: error.message }));
    child.once('exit', (code, signal) =>
      resolve(code === null ? { kind: 'killed', signal: signal ?? 'unknown' } : { kind: 'exited', code }),
    );
  });
}

/** On abort: SIGTERM to the whole group, SIGKILL when it is still there after the grace. */
function watchAbort(child: ChildProcess, signal: AbortSignal, killAfterMs: number): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    killGroup(child, 'SIGTERM');
    timer = setTimeout(() => killGroup(child, 'SIGKILL'), killAfterMs);
  };
  signal.addEventListener('abort', end, { once: true });
  return {
    stop() {
      signal.removeEventListener('abort', end);
      clearTimeout(timer);
    },
  };
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}
