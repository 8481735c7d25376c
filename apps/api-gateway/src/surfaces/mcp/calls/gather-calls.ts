import { setTimeout as delay } from 'node:timers/promises';

/** Collects calls with the same key for a moment, and stores them together. */
export type GatherCalls<T> = (key: string, call: T) => Promise<void>;

/** Time for which calls are collected, the same as for model calls. */
const GATHER_MS = 50;
const MAX_TOGETHER = 20;

interface Batch<T> {
  readonly calls: T[];
  readonly stored: Promise<void>;
}

/**
 * Creates a function that collects calls with the same key.
 * @param store - called with calls in the order in which they ended
 */
export function createGatherCalls<T>(store: (calls: readonly T[]) => Promise<void>): GatherCalls<T> {
  const open = new Map<string, Batch<T>>();

  function begin(key: string): Batch<T> {
    const calls: T[] = [];
    const stored = delay(GATHER_MS).then(() => {
      if (open.get(key)?.calls === calls) open.delete(key);
      return store(calls);
    });
    const batch = { calls, stored };
    open.set(key, batch);
    return batch;
  }

  return (key, call) => {
    const batch = open.get(key) ?? begin(key);
    batch.calls.push(call);
    if (batch.calls.length >= MAX_TOGETHER) open.delete(key);
    return batch.stored;
  };
}
