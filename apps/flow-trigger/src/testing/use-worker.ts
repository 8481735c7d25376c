import { useOpened } from '@steward/testing';
import { startTestWorker, type TestWorker } from './start-worker.ts';

/** Creates a worker for the tests of a file. Tests and hooks get it from the returned function. */
export function useWorker(environment: Readonly<Record<string, string>> = {}): () => TestWorker {
  const opened = useOpened(async () => {
    const worker = await startTestWorker(environment);
    return { worker, close: () => worker.stop() };
  });
  return () => opened().worker;
}
