import { retry } from '@steward/async';
import { isTransientDatabaseError } from './pg-errors.ts';

/** Delays in milliseconds before retries: a restart of the database ends its connections and takes some seconds. */
const DELAYS_MS: readonly number[] = [100, 1000, 5000, 15_000];

/**
 * Repeats work after a failure of the database. It is used where the failure would lose a result: for example, when
 * data is stored after the response has been sent, or read after an approval has been used. The work must be
 * idempotent.
 */
export function retryDatabase<T>(work: () => Promise<T>, delaysMs = DELAYS_MS): Promise<T> {
  return retry(work, { delaysMs, mayRetry: isTransientDatabaseError });
}
