import { setTimeout as delay } from 'node:timers/promises';

/** About 16 s: a database that restarts is back by then, and a lease is not lost yet. */
const DELAYS_MS = [250, 500, 1000, 2000, 4000, 8000];

/** Does the work again while it fails, with growing pauses. @throws what it failed with last */
export async function retry<T>(work: () => Promise<T>, delaysMs: readonly number[] = DELAYS_MS): Promise<T> {
  for (const pause of delaysMs) {
    try {
      return await work();
    } catch {
      await delay(pause);
    }
  }
  return work();
}
