import type { Pool, PoolClient } from 'pg';

export interface CancellableOptions {
  /** Time budget of each statement; past it Postgres cancels it (SQLSTATE 57014). */
  readonly timeoutMs: number;
  /** Aborted when nobody waits for the answer any more: the running statement is cancelled and the connection freed. */
  readonly signal: AbortSignal;
}

/**
 * Runs read-only work on one connection with a time budget. The settings live in a transaction, so they cannot leak to
 * the connection's next user.
 */
export async function runCancellable<T>(
  pool: Pool,
  options: CancellableOptions,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  options.signal.throwIfAborted();
  const client = await pool.connect();
  const cancel = (): void => void cancelBackend(pool, client);
  options.signal.addEventListener('abort', cancel, { once: true });
  let broken: Error | undefined;
  try {
    await client.query(`begin read only; set local statement_timeout = ${Math.ceil(options.timeoutMs)}`);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    broken = await client.query('rollback').then(
      () => undefined,
      (rollbackError: Error) => rollbackError,
    );
    throw error;
  } finally {
    options.signal.removeEventListener('abort', cancel);
    client.release(broken);
  }
}

/** A second connection cancels the first: the protocol has no other way to reach a busy one. */
async function cancelBackend(pool: Pool, client: PoolClient): Promise<void> {
  const { processID } = client as PoolClient & { readonly processID?: number };
  if (processID === undefined) return;
  await pool.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
}
