import { retry } from '@steward/async';
import { migrateSlice, readSqlState, type AnyDatabase, type SliceMigrations } from '@steward/database';

/**
 * Time limit in milliseconds for waiting for a lock: while a statement waits for a table lock, all later statements on
 * that table wait too. Therefore the statement times out quickly, and the migrations of the context are tried again.
 * `migratePatiently` does not set this limit: its caller sets it for the connections.
 */
export const LOCK_TIMEOUT_MS = 2000;
const TRIES = 100;
const PAUSE_MS = 3000;
/**
 * Error codes of a lock that was not available in time, and of a deadlock with a running app that Postgres resolved by
 * aborting the step.
 */
const BUSY: ReadonlySet<string> = new Set(['55P03', '40P01']);

/**
 * Applies the missing migrations of a context; repeats this, up to 100 times, as long as a lock is not available in
 * time, or a deadlock occurs.
 */
export function migratePatiently(
  db: AnyDatabase,
  slice: SliceMigrations,
  { log, pauseMs = PAUSE_MS }: { readonly log: (line: string) => void; readonly pauseMs?: number },
): Promise<string[]> {
  return retry(() => migrateSlice(db, slice), {
    delaysMs: Array<number>(TRIES).fill(pauseMs),
    mayRetry(error) {
      const isBusy = BUSY.has(readSqlState((error as Error).cause) ?? '');
      if (isBusy) log(`${slice.schema} waits for a table that is in use`);
      return isBusy;
    },
  });
}
