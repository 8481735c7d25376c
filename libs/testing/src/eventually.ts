import { setTimeout as delay } from 'node:timers/promises';

export interface EventuallyOptions {
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

/**
 * Repeats `attempt` until it neither throws nor answers false, and returns its answer. Waits for a fact instead of for a
 * time: return false for "not yet", or let an expectation throw.
 * @throws the last failure when the time is over.
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<Exclude<T, false>> {
  const { timeoutMs = 10_000, intervalMs = 20 } = options;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      const value = await attempt();
      if (value !== false) return value as Exclude<T, false>;
      if (Date.now() > deadline) throw new Error(`not yet true after ${timeoutMs} ms`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await delay(intervalMs);
  }
}
