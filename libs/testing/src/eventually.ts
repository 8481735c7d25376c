import { setTimeout as delay } from 'node:timers/promises';
import { scaleLimit } from './machine-pace.ts';

/**
 * Time limit: long enough that a busy machine does not reach it, but shorter than jest's limit, so that a condition
 * that is never met fails here, with its name.
 */
export const TIMEOUT_MS = scaleLimit(90_000);

/**
 * Attempts become less frequent the longer the wait takes, because many of them are requests: each pause is a twentieth
 * of the time so far, up to this limit.
 */
const LONGEST_PAUSE_MS = 150;
const PAUSE_SHARE = 0.05;

export interface EventuallyOptions {
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

/**
 * Repeats `attempt` until it succeeds with a value other than false or undefined, and returns its result. Waits for a
 * condition instead of a fixed time.
 * @throws the last failure when the time has elapsed
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<Exclude<T, undefined | false>> {
  const { timeoutMs = TIMEOUT_MS, intervalMs = 20 } = options;
  const startedAt = Date.now();
  const deadline = startedAt + timeoutMs;
  for (;;) {
    try {
      const value = await attempt();
      if (value !== false && value !== undefined) return value as Exclude<T, undefined | false>;
      if (Date.now() > deadline) throw new Error(`still ${String(value)} after ${timeoutMs} ms`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await delay(Math.max(intervalMs, Math.min(LONGEST_PAUSE_MS, (Date.now() - startedAt) * PAUSE_SHARE)));
  }
}
