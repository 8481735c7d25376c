import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

export interface CancellablePools {
  /** Gives the connection the work runs on; its size is the number of works at a time. */
  readonly work: Pool;
  /** Another pool: cancelling must not wait behind the very work it cancels. */
  readonly cancel: Pool;
}

export interface CancellableOptions {
  /** Time budget of all statements together; past it Postgres cancels the running one (SQLSTATE 57014). */
  readonly timeoutMs: number;
  /** Aborted when nobody waits for the answer any more: the running statement is cancelled and the connection freed. */
  readonly signal: AbortSignal;
}

/** A cancellation that reaches the connection between two statements hits nothing, so it is repeated. */
const REPEAT_CANCEL_MS = 50;

/** Runs reading work on one connection with a time budget; the connection is free again soon after it is over. */
export async function runCancellable<T>(
  pools: CancellablePools,
  options: CancellableOptions,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const stop = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  stop.throwIfAborted();
  const client = await pools.work.connect();
  let isDone = false;
  let cancelling: Promise<void> | undefined;
  const cancel = (): void => {
    cancelling = cancelUntil(pools.cancel, client, () => isDone);
  };
  try {
    stop.throwIfAborted();
    stop.addEventListener('abort', cancel, { once: true });
    return await work(client);
  } finally {
    isDone = true;
    stop.removeEventListener('abort', cancel);
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
