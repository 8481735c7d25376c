import { useOpened } from '@steward/testing';
import { startTestWorker, type TestWorker } from './start-worker.ts';

/** A worker for the tests of a file. Inside tests and hooks, the function that is given back answers it. */
export function useWorker(environment: Readonly<Record<string, string>> = {}): () => TestWorker {
  const opened = useOpened(async () => {
    const worker = await startTestWorker(environment);
    return { worker, close: () => worker.stop() };
  });
  return () => opened().worker;
}
