import { retry } from '@steward/async';
import { isTransientDatabaseError } from './pg-errors.ts';

/** Delays in milliseconds before retries: a restart of the database ends its connections and takes some seconds. */
const DELAYS_MS: readonly number[] = [100, 1000, 5000, 15_000];

/**
 * Repeats work after a failure of the database, for results that are stored after the response, or read after an
 * approval was used, and would otherwise be lost. The work must be idempotent.
 */
export function retryDatabase<T>(work: () => Promise<T>, delaysMs = DELAYS_MS): Promise<T> {
  return retry(work, { delaysMs, mayRetry: isTransientDatabaseError });
}
