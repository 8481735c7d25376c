import { retry } from '@steward/async';

/**
 * Delays before the retries, about 16 s in total: long enough for a database restart, and shorter than the default
 * lease.
 */
const DELAYS_MS = [250, 500, 1000, 2000, 4000, 8000];

/** Retries a write that must survive a database restart. @throws the last error */
export function writePersistently<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, { delaysMs: DELAYS_MS });
}
