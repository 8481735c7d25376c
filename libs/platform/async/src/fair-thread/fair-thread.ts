import { Worker, type ResourceLimits } from 'node:worker_threads';
import { createFairQueue } from './fair-queue.ts';
import { limitSpentTime } from './limit-spent-time.ts';

/**
 * A separate thread for work that would otherwise block the main thread for too long; the main thread handles all
 * requests.
 */
export interface FairThread<Work, Answer> {
  /**
   * Runs work of an owner in the order of the calls; owners take turns.
   * @throws the errors that `refuseFull`, `refuseOwner` and `refuseFailed` create
   */
  run(owner: string, work: Work, sizeBytes: number): Promise<Answer>;
  close(): Promise<void>;
}

export interface FairThreadOptions {
  readonly name: string;
  /** Script of the thread, which responds to each message with one message. An error ends it. */
  readonly file: URL;
  /** Memory limit of the thread; if it is exceeded, the thread is terminated instead of the process. */
  readonly memory: ResourceLimits;
  /** Limit for waiting work of all owners together. */
  readonly maxWaitingBytes: number;
  /** Maximum number of waiting and running calls of one owner. */
  readonly maxOfOwner?: number;
  /** Limit of CPU time for one piece of work in milliseconds; the limit for elapsed time is ten times as long. */
  readonly timeoutMs: number;
  /** Idle time in milliseconds after which the thread ends. */
  readonly idleMs: number;
  readonly refuseFull: () => Error;
  readonly refuseOwner?: () => Error;
  /** Creates the error for work that crashed the thread or took too long. */
  readonly refuseFailed: (cause: Error) => Error;
}

interface Job<Work, Answer> {
  readonly owner: string;
  readonly work: Work;
  readonly sizeBytes: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Creates the thread, which is started when there is work, and ended after it has been idle for some time to free its
 * memory. Owners take turns; a second thread is not worth its memory on the two processors for which this service is
 * designed.
 */
export function createFairThread<Work, Answer>(options: FairThreadOptions): FairThread<Work, Answer> {
  const { maxWaitingBytes, maxOfOwner = Infinity, timeoutMs, idleMs, refuseOwner = options.refuseFull } = options;
  const waiting = createFairQueue<Job<Work, Answer>>();
  const counts = new Map<string, number>();
  let waitingBytes = 0;
  let thread: Worker | undefined;
  let running: Job<Work, Answer> | undefined;
  let stopWaiting = (): void => undefined;

  function startNext(): void {
    stopWaiting();
    running = waiting.take();
    if (running === undefined) return void (stopWaiting = callIn(idleMs, endThread));
    waitingBytes -= running.sizeBytes;
    const isNew = thread === undefined;
    thread ??= startThread();
    stopWaiting = limitSpentTime(thread, timeoutMs, isNew, giveUp);
    thread.postMessage(running.work);
  }

  function startThread(): Worker {
    const started = new Worker(options.file, { name: options.name, resourceLimits: options.memory });
    started.unref();
    started.on('message', (answer: Answer) => {
      // A message of a terminated thread is ignored: it may still arrive when other work is already running.
      if (started !== thread) return;
      settle()?.resolve(answer);
      startNext();
    });
    started.on('error', (error) => {
      if (started === thread) fail(error instanceof Error ? error : new Error(String(error)));
    });
    return started;
  }

  function settle(): Job<Work, Answer> | undefined {
    if (running === undefined) return undefined;
    const { owner } = running;
    const left = (counts.get(owner) ?? 1) - 1;
    if (left === 0) counts.delete(owner);
    else counts.set(owner, left);
    return running;
  }

  const giveUp = (): void => fail(new Error(`work of the thread ${options.name} exceeded ${timeoutMs} ms of CPU time`));

  /** Rejects the current work and ends the thread; the waiting work is processed by a new thread. */
  function fail(cause: Error): void {
    settle()?.reject(options.refuseFailed(cause));
    endThread();
    startNext();
  }

  function endThread(): void {
    void thread?.terminate();
    thread = undefined;
  }

  return {
    run(owner, work, sizeBytes) {
      const count = counts.get(owner) ?? 0;
      if (count >= maxOfOwner) return Promise.reject(refuseOwner());
      if (waitingBytes + sizeBytes > maxWaitingBytes) return Promise.reject(options.refuseFull());
      return new Promise((resolve, reject) => {
        counts.set(owner, count + 1);
        waitingBytes += sizeBytes;
        waiting.add(owner, { owner, work, sizeBytes, resolve, reject });
        if (running === undefined) startNext();
      });
    },
    async close() {
      stopWaiting();
      const last = thread;
      thread = undefined;
      await last?.terminate();
    },
  };
}

/** Schedules a call, and returns a function that cancels it. */
function callIn(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms).unref();
  return () => clearTimeout(timer);
}
