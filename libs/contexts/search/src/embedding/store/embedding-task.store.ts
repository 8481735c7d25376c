import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

export interface WaitingTask {
  readonly chunkId: string;
  readonly batchLimit: number | null;
  /** True if the chunk was refused when sent individually. */
  readonly isRefused: boolean;
}

/**
 * Returns chunks to retry now; those that were refused when sent individually come last. Chunks with the same batch
 * limit are adjacent, because only these can be combined in a call.
 */
export async function listWaiting(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly limit: number },
): Promise<WaitingTask[]> {
  const { rows } = await sql<WaitingTask>`
    select chunk_id as "chunkId", batch_limit as "batchLimit", attempts > 0 as "isRefused" from search.embedding_task
    where account_id = ${key.accountId} and state = 'waiting' and not_before <= clock_timestamp()
    order by attempts > 0, batch_limit nulls last, not_before, chunk_id limit ${key.limit}
  `.execute(trx);
  return rows;
}

/** Returns whether any chunk is in a call or has to be retried. */
export async function hasOpenTasks(db: AnyDatabase, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from search.embedding_task where account_id = ${accountId} and state <> 'failed' limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Returns the time of the next retry; null if there is none. */
export async function readNextRetry(db: AnyDatabase, accountId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(not_before, clock_timestamp())) as at from search.embedding_task
    where account_id = ${accountId} and state = 'waiting'
  `.execute(db);
  return rows[0]?.at ?? null;
}

export async function deleteTasks(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly chunkIds?: readonly string[] },
): Promise<void> {
  const isNamed = key.chunkIds === undefined ? sql`true` : sql`chunk_id = any(${key.chunkIds}::uuid[])`;
  await sql`delete from search.embedding_task where account_id = ${key.accountId} and ${isNamed}`.execute(trx);
}

/**
 * Makes the texts of the call pending again, without a result. The batch limit determines how many of them are combined
 * in one call.
 */
export async function returnTasks(trx: AnyTransaction, callId: string, batchLimit?: number): Promise<void> {
  await sql`
    update search.embedding_task set state = 'waiting', call_id = null, not_before = '-infinity',
      batch_limit = coalesce(${batchLimit ?? null}::smallint, batch_limit)
    where state = 'called' and call_id = ${callId}
  `.execute(trx);
}

/**
 * Retries those chunks of a call that were changed, or were being changed or deleted. The delay of five seconds gives
 * the other transaction time to commit or roll back.
 */
export async function retryTasks(trx: AnyTransaction, callId: string, chunkIds: readonly string[]): Promise<void> {
  await sql`
    update search.embedding_task set state = 'waiting', call_id = null, not_before = clock_timestamp() + interval '5 seconds'
    where state = 'called' and call_id = ${callId} and chunk_id = any(${chunkIds}::uuid[])
  `.execute(trx);
}

/** Returns those of the given chunks whose call ended without a result and that no process has claimed again. */
export async function listFreed(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly chunkIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ chunkId: string }>`
    select chunk_id as "chunkId" from search.embedding_task
    where account_id = ${key.accountId} and chunk_id = any(${key.chunkIds}::uuid[])
      and state = 'waiting' and not_before = '-infinity'
  `.execute(trx);
  return rows.map(({ chunkId }) => chunkId);
}

/**
 * Retries chunks that were changed, or were being changed or deleted, if their call has already ended. The delay is the
 * same as in `retryTasks`.
 */
export async function deferTasks(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly chunkIds: readonly string[] },
): Promise<void> {
  await sql`
    update search.embedding_task set not_before = clock_timestamp() + interval '5 seconds'
    where account_id = ${key.accountId} and chunk_id = any(${key.chunkIds}::uuid[]) and state = 'waiting'
  `.execute(trx);
}

export interface Refusal {
  readonly callId: string;
  readonly error: string;
  /**
   * Number of attempts after which the text is set aside; undefined if the provider may be the cause. In this case, a
   * refusal is only recorded.
   */
  readonly maxAttempts: number | undefined;
  /** Delay in milliseconds if no attempt was counted before; it is doubled after one attempt, quadrupled after more. */
  readonly delayMs: number;
}

export interface CountedRefusal {
  readonly isFirst: boolean;
  readonly isSetAside: boolean;
}

/**
 * Records the refusal of a text that was sent individually: it is retried later, or set aside after the maximum number
 * of attempts.
 */
export async function countRefusal(trx: AnyTransaction, refusal: Refusal): Promise<CountedRefusal> {
  const maxAttempts = refusal.maxAttempts ?? null;
  const { rows } = await sql<CountedRefusal>`
    update search.embedding_task set call_id = null, error = ${refusal.error}, batch_limit = 1,
      attempts = case when ${maxAttempts}::int is null then greatest(attempts, 1) else attempts + 1 end,
      state = case when attempts + 1 >= ${maxAttempts}::int then 'failed' else 'waiting' end,
      not_before = clock_timestamp() + make_interval(secs => ${refusal.delayMs / 1000} * power(2, least(attempts, 2)))
    where state = 'called' and call_id = ${refusal.callId}
    returning attempts = 1 as "isFirst", state = 'failed' as "isSetAside"
  `.execute(trx);
  return rows[0] ?? { isFirst: false, isSetAside: false };
}
