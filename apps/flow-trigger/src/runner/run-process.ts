import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Readable, type Stream } from 'node:stream';
import { endsWithin } from '@steward/async';
import type { GroupGuard } from './group-guard.ts';
import { readLines, startMeter, type ReadMeter } from './read-lines.ts';
import type { RunnerCommand, RunnerExit } from './runner.ts';

export interface ProcessOptions {
  readonly directory: string;
  /** All variables of the program. */
  readonly environment: Readonly<Record<string, string>>;
  readonly guard: GroupGuard;
  /** Time between SIGTERM and SIGKILL. */
  readonly killAfterMs: number;
  /** Whether descriptor 3 is a pipe on which the program reports its status. */
  readonly hasStatus?: boolean;
  /** Open files that the program gets as descriptors 4 and up. */
  readonly files?: readonly number[];
}

export interface ProcessEnd {
  readonly exit: RunnerExit;
  /** The string received on descriptor 3. */
  readonly told: string;
}

const MAX_STATUS_BYTES = 16 * 1024;

/**
 * Maximum number of checks without new data after the program has ended, about a second in total. After the program and
 * its group are gone, its pipes are read to their end, however slowly the consumer reads. A process that left the group
 * may keep the pipes open: the reader then stops after this number of checks without data, or after
 * `MAX_BYTES_AFTER_EXIT` bytes. Data that is already in the pipes is read even if this process was paused for longer.
 */
const MAX_WAITS_AFTER_EXIT = 10;
const LOOK_MS = 100;
const MAX_BYTES_AFTER_EXIT = 2 * 1024 * 1024;

/**
 * Runs a program in its own process group. When the program ends, its remaining processes are killed, so that none
 * outlives its execution.
 */
export async function runProcess(command: RunnerCommand, options: ProcessOptions): Promise<ProcessEnd> {
  if (command.signal.aborted) return { exit: { kind: 'killed', signal: 'SIGTERM' }, told: '' };
  const [file, ...args] = command.argv;
  const child = spawn(file, args, {
    cwd: options.directory,
    env: { ...options.environment },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', options.hasStatus === true ? 'pipe' : 'ignore', ...(options.files ?? [])],
  }) as ChildProcessWithoutNullStreams;
  const { pid } = child;
  const status = collectStatus(child.stdio[3]);
  if (pid !== undefined) options.guard.watch(pid);
  const ended = waitForExit(child);
  const killer = watchAbort(child, command.signal, options.killAfterMs);
  child.stdin.on('error', () => undefined);
  const { talk } = command;
  if (talk === undefined) child.stdin.end(command.stdin ?? '');
  const readings = (['stdout', 'stderr'] as const).map((name) => {
    const meter = startMeter();
    const read =
      talk !== undefined && name === 'stdout'
        ? talk(child.stdin, child.stdout)
        : readLines(child[name], (line) => command.onLine(line, name), meter);
    return { stream: child[name], meter, read };
  });
  const output = Promise.all(readings.map(({ read }) => read));
  // The promise is awaited below; without this handler, an earlier failure would count as an unhandled rejection.
  output.catch(() => undefined);
  const exit = await ended;
  killer.stop();
  killGroup(child, 'SIGKILL');
  if (pid !== undefined) options.guard.release(pid);
  await Promise.all([...readings, status].map(readRest));
  for (const stream of child.stdio) stream?.destroy();
  await output;
  return { exit, told: status.readTold() };
}

interface Reading {
  readonly stream: Stream | null | undefined;
  readonly meter: ReadMeter;
  readonly read: Promise<void>;
}

/** Reads the remaining output after the program is gone. */
async function readRest({ stream, meter, read }: Reading): Promise<void> {
  const { bytes } = meter;
  for (let waits = 0; !(await endsWithin(read, LOOK_MS));) {
    if (meter.isWaiting) waits += 1;
    if (waits < MAX_WAITS_AFTER_EXIT && meter.bytes - bytes < MAX_BYTES_AFTER_EXIT) continue;
    if (stream instanceof Readable) stream.destroy();
    return;
  }
}

function collectStatus(stream: Stream | null | undefined): Reading & { readTold(): string } {
  // This reader is always ready, so data is read as soon as it arrives.
  const meter = startMeter();
  let told = '';
  if (!(stream instanceof Readable)) return { stream, meter, read: Promise.resolve(), readTold: () => told };
  const read = new Promise<void>((resolve) => stream.once('close', () => resolve()).once('error', () => resolve()));
  stream.on('data', (data: Buffer) => (told = `${told}${data.toString('utf8')}`.slice(0, MAX_STATUS_BYTES)));
  return { stream, meter, read, readTold: () => told };
}

function waitForExit(child: ChildProcess): Promise<RunnerExit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not_started', reason: error.message }));
    child.once('exit', (code, signal) =>
      resolve(code === null ? { kind: 'killed', signal: signal ?? 'unknown' } : { kind: 'exited', code }),
    );
  });
}

/** On abort, sends SIGTERM to the whole group, and SIGKILL if the group still exists after the grace period. */
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
    // The group no longer exists.
  }
}
