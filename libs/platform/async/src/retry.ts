import { setTimeout as delay } from 'node:timers/promises';

export interface RetryOptions {
  /** Pause before each further try: three pauses are four tries. */
  readonly delaysMs: readonly number[];
  /** Asked after each failure; without it everything is tried again. */
  readonly mayRetry?: (error: unknown) => boolean;
}

/** Does the work again while it fails, with the given pauses. @throws what it failed with last */
export async function retry<T>(work: () => Promise<T>, { delaysMs, mayRetry }: RetryOptions): Promise<T> {
  for (const pauseMs of delaysMs) {
    try {
      return await work();
    } catch (error) {
      if (mayRetry?.(error) === false) throw error;
      await delay(pauseMs);
    }
  }
  return work();
}
