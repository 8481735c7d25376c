import { retry } from '@steward/async';
import { isTransientDatabaseError } from '@steward/database';

/** Before each further try: a restart of the database ends its connections, and takes some seconds. */
const DELAYS_MS: readonly number[] = [100, 1000, 5000, 15_000];

/**
 * For what is stored once an answer is known, or read once an approval was used up for it, and would be lost with the first try. The
 * work does nothing twice when it is done again.
 */
export function retryDatabase<T>(work: () => Promise<T>, delaysMs = DELAYS_MS): Promise<T> {
  return retry(work, { delaysMs, mayRetry: isTransientDatabaseError });
}
