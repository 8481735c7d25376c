import { Worker } from 'node:worker_threads';
import { installPackages } from '../src/packages/install-packages.ts';

export interface Encoded {
  /** Vector of length 1. */
  readonly vector: Float32Array;
  readonly tokens: number;
}

export interface Encoder {
  /**
   * Encodes a text.
   * @throws EncoderUnavailableError if the thread that encoded the text died
   */
  encode(text: string): Promise<Encoded>;
  close(): Promise<void>;
}

/** Error for a text whose thread died: another thread may encode it. */
export class EncoderUnavailableError extends Error {
  override readonly name = 'EncoderUnavailableError';
}

export interface EncoderOptions {
  /** Called with each thread when it starts, including replacements. */
  readonly onThread?: (thread: Worker) => void;
  /** Called when a thread could not be restarted: from now on nothing is encoded. */
  readonly onFailure?: (error: Error) => void;
}

interface Job {
  readonly text: string;
  readonly outcome: PromiseWithResolvers<Encoded>;
}

/**
 * Starts the sentence encoder, in `threads` threads: each one holds a separate copy of the model and processes one text
 * at a time. The first start installs it.
 */
export async function startEncoder(threads: number, options: EncoderOptions = {}): Promise<Encoder> {
  installPackages('tools/embedding-server');
  const pool = new ThreadPool(options);
  try {
    await Promise.all(Array.from({ length: threads }, () => pool.startThread()));
  } catch (error) {
    await pool.close();
    throw error;
  }
  return pool;
}

class ThreadPool implements Encoder {
  readonly #options: EncoderOptions;
  readonly #threads = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, Job>();
  readonly #waiting: Job[] = [];
  /** Reason why nothing can be encoded anymore. */
  #end: Error | undefined;

  constructor(options: EncoderOptions) {
    this.#options = options;
  }

  encode(text: string): Promise<Encoded> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const outcome = Promise.withResolvers<Encoded>();
    this.#waiting.push({ text, outcome });
    const thread = this.#idle.pop();
    if (thread !== undefined) this.#serve(thread);
    return outcome.promise;
  }

  async close(): Promise<void> {
    this.#finish(new EncoderUnavailableError('the encoder was closed'));
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  /** Starts a thread; resolves when it has read its model. */
  startThread(): Promise<void> {
    const thread = new Worker(new URL('./encode.worker.ts', import.meta.url));
    const ready = Promise.withResolvers<void>();
    let isReady = false;
    let cause: unknown;
    this.#threads.add(thread);
    thread.on('message', (message: 'ready' | Encoded) => {
      if (message === 'ready') isReady = true;
      else this.#running.get(thread)?.outcome.resolve(message);
      ready.resolve();
      this.#serve(thread);
    });
    // The thread exits immediately afterwards.
    thread.once('error', (error) => (cause = error));
    thread.once('exit', (code) => {
      const where = isReady ? '' : ' before it was ready';
      const death = new EncoderUnavailableError(`a thread of the model ended${where} (exit code ${code})`, { cause });
      this.#forget(thread, death);
      ready.reject(death);
      if (isReady && this.#end === undefined) void this.#replaceThread();
    });
    this.#options.onThread?.(thread);
    return ready.promise;
  }

  async #replaceThread(): Promise<void> {
    try {
      await this.startThread();
    } catch (error) {
      if (this.#end !== undefined) return;
      this.#finish(error as Error);
      this.#options.onFailure?.(error as Error);
    }
  }

  #serve(thread: Worker): void {
    const job = this.#waiting.shift();
    if (job === undefined) {
      this.#running.delete(thread);
      this.#idle.push(thread);
      return;
    }
    this.#running.set(thread, job);
    thread.postMessage(job.text);
  }

  #forget(thread: Worker, death: Error): void {
    this.#threads.delete(thread);
    if (this.#idle.includes(thread)) this.#idle.splice(this.#idle.indexOf(thread), 1);
    this.#running.get(thread)?.outcome.reject(death);
    this.#running.delete(thread);
  }

  /** Ends the pool. Texts that other threads are encoding are still completed. */
  #finish(reason: Error): void {
    this.#end ??= reason;
    for (const { outcome } of this.#waiting.splice(0)) outcome.reject(reason);
  }
}
