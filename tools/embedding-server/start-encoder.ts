import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Encoded {
  /** Of length one. */
  readonly vector: Float32Array;
  readonly tokens: number;
}

export interface Encoder {
  encode(text: string): Promise<Encoded>;
  close(): Promise<void>;
}

/** The sentence encoder, in `threads` threads: each holds a model of its own and works on one text at a time. */
export async function startEncoder(threads: number): Promise<Encoder> {
  const workers = Array.from({ length: threads }, () => new Worker(new URL('./encode.worker.ts', import.meta.url)));
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  };
  try {
    await Promise.all(workers.map((worker) => once(worker, 'message')));
  } catch (error) {
    await close();
    throw error;
  }
  const idle = [...workers];
  const waiting: ((worker: Worker) => void)[] = [];
  const take = (): Promise<Worker> => {
    const worker = idle.pop();
    return worker === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(worker);
  };
  const giveBack = (worker: Worker): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(worker);
    else next(worker);
  };
  return {
    async encode(text) {
      const worker = await take();
      try {
        worker.postMessage(text);
        const [encoded] = (await once(worker, 'message')) as [Encoded];
        return encoded;
      } finally {
        giveBack(worker);
      }
    },
    close,
  };
}
