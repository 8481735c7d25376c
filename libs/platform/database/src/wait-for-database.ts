import { setTimeout as sleep } from 'node:timers/promises';
import { reachDatabase } from './create-database.ts';
import { isTransientDatabaseError } from './pg-errors.ts';

export interface WaitOptions {
  /** Total time of all attempts in seconds; if it is 0, there is only one attempt. */
  readonly seconds: number;
  readonly log: (line: string) => void;
}

const MAX_PAUSE_MS = 10_000;

/**
 * Waits until the database responds, for a limited time. Permanent errors, such as a wrong password, are reported
 * immediately.
 * @throws StartupError with the last reason
 */
export async function waitForDatabase(url: string, { seconds, log }: WaitOptions): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await reachDatabase(url, 'DATABASE_URL');
      if (attempt > 1) log('the database responds');
      return;
    } catch (error) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || !isTransientDatabaseError((error as Error).cause)) throw error;
      log(`${(error as Error).message}; trying again for ${Math.ceil(leftMs / 1000)} s`);
      await sleep(Math.min(leftMs, attempt * 1000, MAX_PAUSE_MS));
    }
  }
}
