import { fork, type ChildProcess } from 'node:child_process';
import { basename } from 'node:path';

/**
 * Process of the bench that communicates by messages. It always ends together with the bench, because its channel
 * closes.
 */
export interface BenchProcess<In, Out extends { readonly kind: string }> {
  send(message: In): void;
  /**
   * Waits for the next message of a kind. Rejects if the process ends before the message arrives, or if the time has
   * elapsed.
   */
  waitFor<Kind extends Out['kind']>(kind: Kind, timeoutMs?: number): Promise<Extract<Out, { kind: Kind }>>;
  /** Drops unread messages. */
  forget(): void;
  readonly pid: number;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 120_000;

/**
 * Starts a module as a process of the bench.
 * @param path - Absolute path of the module
 */
export function startProcess<In, Out extends { readonly kind: string }>(path: string): BenchProcess<In, Out> {
  const file = basename(path);
  const child: ChildProcess = fork(path, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH ?? '' },
  });
  // Messages are stored here, because one may arrive before anything waits for it.
  const unread: Out[] = [];
  const waiters = new Set<() => void>();
  let ended: string | undefined;
  const wake = (): void => waiters.forEach((waiter) => waiter());
  child.on('message', (message) => {
    unread.push(message as Out);
    wake();
  });
  child.once('exit', (code, signal) => {
    ended = `${file} ended (${signal ?? `exit code ${String(code)}`})`;
    wake();
  });

  return {
    send: (message) => void child.send(message as object),
    waitFor(kind, timeoutMs = TIMEOUT_MS) {
      return new Promise((done, fail) => {
        const timer = setTimeout(
          () => finish(new Error(`${file}: no "${kind}" within ${timeoutMs / 1000} s`)),
          timeoutMs,
        );
        function finish(error: Error | undefined, message?: Out): void {
          clearTimeout(timer);
          waiters.delete(look);
          if (error !== undefined) fail(error);
          else done(message as never);
        }
        function look(): void {
          const index = unread.findIndex((message) => message.kind === kind);
          if (index >= 0) finish(undefined, unread.splice(index, 1)[0]);
          else if (ended !== undefined) finish(new Error(ended));
        }
        waiters.add(look);
        look();
      });
    },
    forget: () => void unread.splice(0),
    pid: child.pid ?? 0,
    stop() {
      if (ended !== undefined) return Promise.resolve();
      return new Promise((done) => {
        child.once('exit', () => done());
        if (child.connected) child.disconnect();
      });
    },
  };
}
