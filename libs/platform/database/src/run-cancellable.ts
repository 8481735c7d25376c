import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { untilAborted } from '@steward/async';

export interface CancellablePools {
  /** Pool for the work; its size limits how much work runs at the same time. */
  readonly work: Pool;
  /** A separate pool, because a cancellation must not wait for the work that it cancels. */
  readonly cancel: Pool;
}

export interface CancellableOptions {
  /**
   * Time budget in milliseconds for waiting for a connection and for all statements together; when it is exceeded, the
   * running statement is cancelled (SQLSTATE 57014).
   */
  readonly timeoutMs: number;
  /**
   * Signal that is aborted when no caller waits for the result any longer: the running statement is then cancelled and
   * the connection released.
   */
  readonly signal: AbortSignal;
}

/**
 * Interval in milliseconds at which a cancellation is repeated, since one that arrives between two statements has no
 * effect.
 */
const REPEAT_CANCEL_MS = 50;

/** Error for work that exceeded its time budget. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/**
 * Runs read-only work on one connection with a time budget; soon after it is exceeded, the connection is released.
 * @throws OutOfTimeError if the budget is exceeded; the signal's reason if it is aborted
 */
export async function runCancellable<T>(
  pools: CancellablePools,
  options: CancellableOptions,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs } = options;
  signal.throwIfAborted();
  const end = new AbortController();
  const leave = (): void => end.abort(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(
    () => end.abort(new OutOfTimeError(`the work was not completed within ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    const client = await connectUntil(pools.work, end.signal);
    return await runOn(client, pools.cancel, end.signal, work);
  } catch (error) {
    // The reason for the cancellation is more informative than the error of the cancelled statement.
    if (end.signal.aborted) throw end.signal.reason as Error;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

/**
 * Returns a connection, unless the budget is exceeded or the signal is aborted first. Waiting for a connection of the
 * pool cannot be cancelled, so one that becomes available too late is released immediately.
 */
async function connectUntil(pool: Pool, end: AbortSignal): Promise<PoolClient> {
  const connecting = pool.connect();
  try {
    return await untilAborted(connecting, end);
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  }
}

async function runOn<T>(
  client: PoolClient,
  cancelPool: Pool,
  end: AbortSignal,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  let isDone = false;
  let cancelling: Promise<void> | undefined;
  const cancel = (): void => {
    cancelling = cancelUntil(cancelPool, client, () => isDone);
  };
  try {
    end.throwIfAborted();
    end.addEventListener('abort', cancel, { once: true });
    return await work(client);
  } finally {
    isDone = true;
    end.removeEventListener('abort', cancel);
    // The release waits for a pending cancellation, which must not cancel a statement of the next user of the
    // connection.
    await cancelling;
    client.release();
  }
}

/** Cancels the statement through a second connection, since the protocol cannot cancel it through the busy one. */
async function cancelUntil(pool: Pool, client: PoolClient, isDone: () => boolean): Promise<void> {
  const { processID } = client as PoolClient & { readonly processID?: number };
  while (!isDone()) {
    await pool.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
    if (!isDone()) await delay(REPEAT_CANCEL_MS);
  }
}
