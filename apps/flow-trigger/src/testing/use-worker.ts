import { useOpened } from '@steward/testing';
import { startTestWorker, type TestWorker } from './start-worker.ts';

/**
 * Creates a worker for the tests of a file. The returned function returns the worker; it must only be called in tests
 * and hooks.
 */
export function useWorker(environment: Readonly<Record<string, string>> = {}): () => TestWorker {
  const opened = useOpened(async () => {
    const worker = await startTestWorker(environment);
    return { worker, close: () => worker.stop() };
  });
  return () => opened().worker;
}
