import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { EmbeddingSetting } from '../embedding-setting.ts';
import type { EmbeddingUsage } from '../embedding-usage.ts';
import { noteUsage } from './embedding-usage.store.ts';

export interface NewCalls extends Pick<EmbeddingUsage, 'provider' | 'modelIdentifier'> {
  readonly accountId: string;
  readonly day: string;
  readonly leaseSeconds: number;
  readonly calls: readonly {
    readonly id: string;
    readonly reservedUsd: number;
    readonly chunkIds: readonly string[];
  }[];
}

/** Assigns texts to calls. Returns the time at which the lease of the calls ends. */
export async function insertCalls(
  trx: AnyTransaction,
  { accountId, day, leaseSeconds, provider, modelIdentifier, calls }: NewCalls,
): Promise<Date> {
  const tasks = calls.flatMap(({ id, chunkIds }) => chunkIds.map((chunkId) => ({ id, chunkId })));
  const statement = sql<{ until: Date }>`
    with task as (
      insert into search.embedding_task as task (account_id, chunk_id, state, call_id)
      select ${accountId}::uuid, chunk_id, 'called', call_id
      from unnest(${tasks.map(({ chunkId }) => chunkId)}::uuid[], ${tasks.map(({ id }) => id)}::uuid[]) as new (chunk_id, call_id)
      on conflict (account_id, chunk_id) do update set state = 'called', call_id = excluded.call_id
    )
    insert into search.embedding_call (id, account_id, day, reserved_usd, lease_until, provider, model_identifier)
    select id, ${accountId}::uuid, ${day}::date, usd, now() + make_interval(secs => ${leaseSeconds}::float8), ${provider},
      ${modelIdentifier}
    from unnest(${calls.map(({ id }) => id)}::uuid[], ${calls.map(({ reservedUsd }) => reservedUsd)}::numeric[]) as new (id, usd)
    returning lease_until as until
  `;
  const { rows } = await executePrepared(trx, 'embedding-calls', statement);
  const [row] = rows;
  if (row === undefined) throw new Error('no call was written');
  return row.until;
}

/** Current setting and spend of an account, which determine whether a claimed call may be sent. */
export interface CallTerms extends Omit<EmbeddingSetting, 'hasApiKey' | 'degradedReason' | 'degradedAt'> {
  readonly apiKeySealed: Buffer | null;
  /** True if another call has failed in the meantime, and the provider is paused. */
  readonly isPaused: boolean;
  /** Amount spent and reserved on the day to which the call is charged. */
  readonly takenUsd: number;
}

/**
 * Returns the current state of the account of a call; undefined if the lease of the call has expired and another
 * process has ended the call.
 */
export async function findCallTerms(db: AnyDatabase, callId: string): Promise<CallTerms | undefined> {
  const statement = sql<CallTerms>`
    select s.is_enabled as "isEnabled", s.scope, s.provider, s.model_identifier as "modelIdentifier", s.base_url as "baseUrl",
      s.api_key_sealed as "apiKeySealed", s.daily_cap_usd::float8 as "dailyCapUsd",
      w.failures > 0 and w.held_until > clock_timestamp() as "isPaused",
      (spend.spent_usd + spend.reserved_usd)::float8 as "takenUsd"
    from search.embedding_call call
    join search.embedding_setting s using (account_id)
    join search.embedding_work w using (account_id)
    join search.embedding_spend spend using (account_id, day)
    where call.id = ${callId}::uuid
  `;
  const { rows } = await executePrepared(db, 'embedding-call-terms', statement);
  return rows[0];
}

export interface EndedCall {
  readonly callId: string;
  readonly spentUsd: number;
  readonly tokens: number;
  /** True if the provider reported the token count. */
  readonly isCounted: boolean;
}

/**
 * Ends calls: their texts need no more work, and their actual usage replaces their reservation. Returns the number of
 * calls that were ended; for the others, the lease had expired, and another process took their texts and counted their
 * reservations.
 */
export async function endCalls(trx: AnyTransaction, calls: readonly EndedCall[]): Promise<number> {
  const list = <Key extends keyof EndedCall>(key: Key): EndedCall[Key][] => calls.map((call) => call[key]);
  const statement = sql<{ ended: number }>`
    with given as (
      select * from unnest(${list('callId')}::uuid[], ${list('spentUsd')}::numeric[], ${list('tokens')}::bigint[],
        ${list('isCounted')}::boolean[]) as given (id, usd, tokens, is_counted)
    ), ended as (
      delete from search.embedding_call call using given where call.id = given.id
      returning call.*, given.usd, given.tokens, given.is_counted
    ), noted as (
      ${noteUsage(sql`
        select account_id, id, called_at, provider, model_identifier, case when is_counted then 'provider' else 'estimated' end,
          false, tokens, usd from ended
      `)}
    ), done as (
      delete from search.embedding_task using ended where state = 'called' and call_id = ended.id
    ), paid as (
      update search.embedding_spend spend set reserved_usd = greatest(0, spend.reserved_usd - total.reserved_usd),
        spent_usd = spend.spent_usd + total.usd, tokens = spend.tokens + total.tokens, calls = spend.calls + total.calls
      from (
        select account_id, day, sum(reserved_usd) as reserved_usd, sum(usd) as usd, sum(tokens)::bigint as tokens,
          count(*) as calls
        from ended group by account_id, day
      ) total where spend.account_id = total.account_id and spend.day = total.day
    )
    select count(*)::int as ended from ended
  `;
  const { rows } = await executePrepared(trx, 'embedding-calls-end', statement);
  return rows[0]?.ended ?? 0;
}

/**
 * Locks calls. Call this before the tasks of these calls are changed: code that ends the calls of dead processes also
 * locks the calls first, then the tasks.
 */
export async function lockCalls(trx: AnyTransaction, callIds: readonly string[]): Promise<void> {
  await sql`
    select from search.embedding_call where id = any(${[...callIds]}::uuid[]) order by id for update
  `.execute(trx);
}

/**
 * Deletes a call; returns false if its lease expired, and another process took its texts and counted its reservation.
 */
export async function deleteCall(trx: AnyTransaction, callId: string): Promise<boolean> {
  const result = await sql`delete from search.embedding_call where id = ${callId}`.execute(trx);
  return (result.numAffectedRows ?? 0n) > 0n;
}

export async function hasCalls(db: AnyDatabase, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from search.embedding_call where account_id = ${accountId} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Ends the account's calls whose lease has expired, usually because their process died: their texts become pending
 * again, and their reservations count as spent, since the provider may have processed the calls.
 */
export async function expireCalls(trx: AnyTransaction, accountId: string): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    with expired as (
      delete from search.embedding_call where id in (
        select id from search.embedding_call where account_id = ${accountId} and lease_until <= clock_timestamp()
        for update skip locked
      ) returning *
    ), noted as (
      ${noteUsage(sql`
        select account_id, id, called_at, provider, model_identifier, 'assumed', true, null::bigint, reserved_usd from expired
      `)}
    ), freed as (
      update search.embedding_task set state = 'waiting', call_id = null, not_before = '-infinity'
      from expired where embedding_task.call_id = expired.id and embedding_task.state = 'called'
    ), paid as (
      update search.embedding_spend spend set reserved_usd = greatest(0, spend.reserved_usd - lost.usd),
        spent_usd = spend.spent_usd + lost.usd, calls = spend.calls + lost.calls
      from (select day, sum(reserved_usd) as usd, count(*) as calls from expired group by day) lost
      where spend.account_id = ${accountId} and spend.day = lost.day
    )
    select count(*)::int as calls from expired
  `.execute(trx);
  return rows[0]?.calls ?? 0;
}
