import { retry } from '@steward/async';

/** About 16 s: a database that restarts is back by then, and a lease is not lost yet. */
const DELAYS_MS = [250, 500, 1000, 2000, 4000, 8000];

/** A write that must not be lost to a restart of the database. @throws what it failed with last */
export function writePersistently<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, { delaysMs: DELAYS_MS });
}
