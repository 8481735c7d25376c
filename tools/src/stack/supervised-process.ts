import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { MALLOC_SETTINGS, NODE_ARGUMENTS } from './runtime-options.ts';

export interface SupervisedOptions {
  readonly name: string;
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly onLine: (line: string) => void;
  readonly onPid: (pid: number) => void;
}

export interface SupervisedProcess {
  start(): void;
  /** Ends the process and starts the new bundle. */
  restart(): void;
  /** Sends SIGTERM, then SIGKILL if the process does not end in time. */
  stop(): Promise<void>;
  /** Returns the last output on standard error, for the message if the process does not start. */
  lastError(): string;
  /** Returns how often the process has ended by itself. */
  exits(): number;
}

const FIRST_RESTART_DELAY_MS = 250;
const LONGEST_RESTART_DELAY_MS = 10_000;
/** Time after which a running process is considered stable: it is then restarted with the first delay. */
const SETTLED_AFTER_MS = 30_000;
const STOP_DEADLINE_MS = 30_000;

/** Runs one app of the suite as a child process, which is restarted with growing delays if it ends by itself. */
export function superviseProcess(options: SupervisedOptions): SupervisedProcess {
  let child: ChildProcess | undefined;
  let log: WriteStream | undefined;
  let stopping = false;
  let delayMs = FIRST_RESTART_DELAY_MS;
  let timer: NodeJS.Timeout | undefined;
  let lastError = '';
  let exits = 0;

  function start(): void {
    const startedAt = Date.now();
    log ??= createWriteStream(options.logFile, { flags: 'a' });
    const started = spawn(process.execPath, [...NODE_ARGUMENTS, options.file], {
      env: { ...MALLOC_SETTINGS, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    if (started.pid !== undefined) options.onPid(started.pid);
    started.stdout.pipe(log, { end: false });
    started.stderr.on('data', (data: Buffer) => {
      lastError = `${lastError}${data.toString('utf8')}`.slice(-2000);
      log?.write(data);
    });
    started.once('exit', (code, signal) => {
      child = undefined;
      if (stopping) return;
      exits += 1;
      if (Date.now() - startedAt > SETTLED_AFTER_MS) delayMs = FIRST_RESTART_DELAY_MS;
      options.onLine(
        `${options.name} ended (${signal ?? `exit code ${code ?? 'unknown'}`}); restarting in ${delayMs} ms`,
      );
      timer = setTimeout(start, delayMs);
      delayMs = Math.min(delayMs * 2, LONGEST_RESTART_DELAY_MS);
    });
  }

  return {
    start,
    restart() {
      delayMs = FIRST_RESTART_DELAY_MS;
      child?.kill('SIGTERM');
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      const running = child;
      if (running !== undefined) {
        // The event `close` is awaited, because output may arrive after the exit, and the log accepts nothing after its
        // end.
        const ended = new Promise<void>((resolve) => running.once('close', () => resolve()));
        running.kill('SIGTERM');
        const killer = setTimeout(() => running.kill('SIGKILL'), STOP_DEADLINE_MS);
        await ended;
        clearTimeout(killer);
      }
      log?.end();
    },
    lastError: () => lastError.trim(),
    exits: () => exits,
  };
}
