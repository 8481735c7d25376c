import { setTimeout as delay } from 'node:timers/promises';

export interface RetryOptions {
  /** Pause before each retry: three pauses mean four attempts. */
  readonly delaysMs: readonly number[];
  /**
   * Called after each failure, except that of the last attempt, to decide whether to retry; if undefined, every error
   * is retried.
   */
  readonly mayRetry?: (error: unknown) => boolean;
}

/** Repeats the work while it fails, with the given pauses. @throws the last error */
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
