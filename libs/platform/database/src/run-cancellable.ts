import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { untilAborted } from '@steward/async';

export interface CancellablePools {
  /** Gives the connection the work runs on; its size is the number of works at a time. */
  readonly work: Pool;
  /** Another pool: cancelling must not wait behind the very work it cancels. */
  readonly cancel: Pool;
}

export interface CancellableOptions {
  /** Time budget of the wait for a connection and all statements together; past it Postgres cancels the running one (SQLSTATE 57014). */
  readonly timeoutMs: number;
  /** Aborted when nobody waits for the answer any more: the running statement is cancelled and the connection freed. */
  readonly signal: AbortSignal;
}

/** A cancellation that reaches the connection between two statements hits nothing, so it is repeated. */
const REPEAT_CANCEL_MS = 50;

/** The work did not come to its end within its time budget. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/**
 * Runs reading work on one connection with a time budget; the connection is free again soon after it is over.
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
  const timer = setTimeout(() => end.abort(new OutOfTimeError(`not done within ${timeoutMs} ms`)), timeoutMs);
  try {
    const client = await connectUntil(pools.work, end.signal);
    return await runOn(client, pools.cancel, end.signal, work);
  } catch (error) {
    // What the cancelled statement says of itself tells less than why it was cancelled.
    if (end.signal.aborted) throw end.signal.reason as Error;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

/** The pool cannot be told that nobody waits any more: what it gives too late goes back at once. */
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
    // A cancellation under way must not hit the connection's next user.
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
