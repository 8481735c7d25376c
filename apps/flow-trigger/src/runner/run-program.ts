import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { GroupGuard } from './group-guard.ts';
import { readLines } from './read-lines.ts';
import type { RunnerCommand, RunnerExit } from './runner.ts';

export interface ProgramPlace {
  readonly directory: string;
  /** All the variables the program gets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly guard: GroupGuard;
  /** Between the polite signal and the one nobody can ignore. */
  readonly killAfterMs: number;
}

/** How long output may still come after the program and its group are gone: a process that left the group may hold the pipe. */
const DRAIN_AFTER_EXIT_MS = 1000;

/**
 * Runs a program in a process group of its own. Its end is the group's end: what it left running is killed, so no
 * execution outlives itself.
 */
export async function runProgram(command: RunnerCommand, place: ProgramPlace): Promise<RunnerExit> {
  if (command.signal.aborted) return { kind: 'killed', signal: 'SIGTERM' };
  const [file, ...args] = command.argv;
  const child = spawn(file, args, {
    cwd: place.directory,
    env: { ...place.environment },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid !== undefined) place.guard.watch(pid);
  const ended = waitForExit(child);
  const killer = watchAbort(child, command.signal, place.killAfterMs);
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
  if (pid !== undefined) place.guard.release(pid);
  const drained = await Promise.race([output.then(() => true), delay(DRAIN_AFTER_EXIT_MS, false)]);
  if (!drained) {
    child.stdout.destroy();
    child.stderr.destroy();
  }
  await output;
  return exit;
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
