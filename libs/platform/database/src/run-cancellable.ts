import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { untilAborted } from '@steward/async';

export interface CancellablePools {
  /** Provides the connection for the work; its size limits how many run at a time. */
  readonly work: Pool;
  /** A separate pool: a cancellation must not wait behind the work it cancels. */
  readonly cancel: Pool;
}

export interface CancellableOptions {
  /**
   * Time budget of the wait for a connection and all statements together; after it Postgres cancels the running
   * statement (SQLSTATE 57014).
   */
  readonly timeoutMs: number;
  /**
   * Aborted when no caller waits for the result any more: the running statement is cancelled and the connection freed.
   */
  readonly signal: AbortSignal;
}

/** A cancellation that arrives between two statements has no effect, so it is repeated. */
const REPEAT_CANCEL_MS = 50;

/** The work exceeded its time budget. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/**
 * Runs read-only work on one connection with a time budget; the connection is free soon after it is over.
 * @throws OutOfTimeError past the budget; the signal's reason once it is aborted.
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
  const timer = setTimeout(() => end.abort(new OutOfTimeError(`not completed within ${timeoutMs} ms`)), timeoutMs);
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

/** A pool checkout cannot be cancelled: a connection that becomes available too late is released at once. */
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
    // A cancellation in flight must not hit the next user of the connection.
    await cancelling;
    client.release();
  }
}

/** A second connection cancels the first: the protocol has no other way to reach a busy one. */
async function cancelUntil(pool: Pool, client: PoolClient, isDone: () => boolean): Promise<void> {
  const { processID } = client as PoolClient & { readonly processID?: number };
  while (!isDone()) {
    await pool.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
    if (!isDone()) await delay(REPEAT_CANCEL_MS);
  }
}
