import { Worker } from 'node:worker_threads';
import { AppError } from '@steward/contracts';
import type { Logger } from '@steward/process';
import type { RenderedEntry } from '@steward/slice-sessions';
import { createFairQueue } from './fair-queue.ts';
import type { ContentBody } from './render-content.ts';

/** Renders large content bodies in a thread of their own: the only other thread answers everybody's requests. */
export interface ContentRenderer {
  /** Undefined for a body small enough to be rendered where it is stored. @throws unavailable */
  render(accountId: string, body: ContentBody): Promise<readonly RenderedEntry[] | undefined>;
  close(): Promise<void>;
}

export interface ContentRendererOptions {
  readonly logger: Logger;
  /** Smaller bodies take 5 ms at the most, less than it costs to hand them over when there are many. */
  readonly leastBytes?: number;
  /** Bodies that wait, of all accounts together. */
  readonly maxWaitingBytes?: number;
  readonly timeoutMs?: number;
  readonly idleMs?: number;
}

interface Job {
  readonly body: ContentBody;
  readonly resolve: (rendered: readonly RenderedEntry[]) => void;
  readonly reject: (error: AppError) => void;
}

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
/** In the bundle it lies beside the app's own file. */
const THREAD = new URL(`./render-content.worker.${EXTENSION}`, import.meta.url);
/** Several times what the largest body takes; past it the thread ends instead of the process. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

/**
 * One thread, started with the first large body and ended when there was none for a while: its memory goes back at once.
 * Accounts take turns; a second thread was not worth its memory on the two processors this service is sized for.
 */
export function createContentRenderer(options: ContentRendererOptions): ContentRenderer {
  const { leastBytes = 64 * 1024, maxWaitingBytes = 64 * 1024 * 1024, timeoutMs = 15_000, idleMs = 30_000 } = options;
  const waiting = createFairQueue<Job>();
  let waitingBytes = 0;
  let thread: Worker | undefined;
  let running: Job | undefined;
  let timer: NodeJS.Timeout | undefined;

  function startNext(): void {
    clearTimeout(timer);
    running = waiting.take();
    timer = setTimeout(running === undefined ? endThread : giveUp, running === undefined ? idleMs : timeoutMs).unref();
    if (running === undefined) return;
    waitingBytes -= running.body.rawBody.length;
    thread ??= startThread();
    thread.postMessage(running.body);
  }

  function startThread(): Worker {
    const started = new Worker(THREAD, { name: 'content', resourceLimits: MEMORY });
    started.unref();
    started.on('message', (rendered: readonly RenderedEntry[]) => {
      // Of a thread that was given up: what it had posted still comes, and the body that is running now is another one.
      if (started !== thread) return;
      running?.resolve(rendered);
      startNext();
    });
    started.on('error', (error) => {
      if (started === thread) fail(error);
    });
    return started;
  }

  function giveUp(): void {
    fail(new Error(`a body was not rendered within ${timeoutMs} ms`));
  }

  /** The body that was being rendered is refused, the others go to a new thread. */
  function fail(cause: Error): void {
    options.logger.warn('content.rendering_failed', { error: cause });
    running?.reject(new AppError('unavailable', { cause, retryAfterSeconds: 30 }));
    endThread();
    startNext();
  }

  function endThread(): void {
    void thread?.terminate();
    thread = undefined;
  }

  return {
    render(accountId, body) {
      const size = body.rawBody.length;
      if (size < leastBytes) return Promise.resolve(undefined);
      if (waitingBytes + size > maxWaitingBytes) {
        const message = 'Too many large bodies are waiting to be worked on. Try again in a moment.';
        return Promise.reject(new AppError('unavailable', { message, retryAfterSeconds: 2 }));
      }
      return new Promise((resolve, reject) => {
        waitingBytes += size;
        waiting.add(accountId, { body, resolve, reject });
        if (running === undefined) startNext();
      });
    },
    async close() {
      clearTimeout(timer);
      const last = thread;
      thread = undefined;
      await last?.terminate();
    },
  };
}
