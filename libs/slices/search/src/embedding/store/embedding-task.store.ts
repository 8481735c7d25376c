import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

export interface WaitingTask {
  readonly chunkId: string;
  readonly batchLimit: number | null;
}

/** Chunks to be tried again now; those that go alone come first, and together only those of one limit. */
export async function listWaiting(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly limit: number },
): Promise<WaitingTask[]> {
  const { rows } = await sql<WaitingTask>`
    select chunk_id as "chunkId", batch_limit as "batchLimit" from search.embedding_task
    where account_id = ${key.accountId} and state = 'waiting' and not_before <= clock_timestamp()
    order by batch_limit nulls last, chunk_id limit ${key.limit}
  `.execute(trx);
  return rows;
}

/** Whether any chunk is in a call or to be tried again. */
export async function hasOpenTasks(db: AnyDatabase, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from search.embedding_task where account_id = ${accountId} and state <> 'failed' limit 1
  `.execute(db);
  return rows.length > 0;
}

/** When the next of them may be tried; null without any. */
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

/** They wait again: nothing was said of them. A limit says how many go together next time. */
export async function returnTasks(trx: AnyTransaction, callId: string, batchLimit?: number): Promise<void> {
  await sql`
    update search.embedding_task set state = 'waiting', call_id = null, not_before = '-infinity',
      batch_limit = coalesce(${batchLimit ?? null}::smallint, batch_limit)
    where state = 'called' and call_id = ${callId}
  `.execute(trx);
}

/** Those of a call that somebody was deleting just now: gone in a moment, or still there. */
export async function retryTasks(trx: AnyTransaction, callId: string, chunkIds: readonly string[]): Promise<void> {
  await sql`
    update search.embedding_task set state = 'waiting', call_id = null, not_before = clock_timestamp() + interval '5 seconds'
    where state = 'called' and call_id = ${callId} and chunk_id = any(${chunkIds}::uuid[])
  `.execute(trx);
}

export interface Refusal {
  readonly callId: string;
  readonly error: string;
  readonly maxAttempts: number;
  /** Milliseconds of the first wait; each further one is twice as long. */
  readonly delayMs: number;
}

/** Of a text that was alone in its call: tried again later, or set aside after its attempts. */
export async function countRefusal(trx: AnyTransaction, refusal: Refusal): Promise<boolean> {
  const { rows } = await sql<{ failed: boolean }>`
    update search.embedding_task set attempts = attempts + 1, call_id = null, error = ${refusal.error},
      state = case when attempts + 1 >= ${refusal.maxAttempts} then 'failed' else 'waiting' end,
      batch_limit = 1,
      not_before = clock_timestamp() + make_interval(secs => ${refusal.delayMs / 1000} * power(2, attempts))
    where state = 'called' and call_id = ${refusal.callId}
    returning state = 'failed' as failed
  `.execute(trx);
  return rows[0]?.failed ?? false;
}
