import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { FRAME_TOKENS } from '../rules/estimate-tokens.ts';
import { utcDay } from '../rules/utc-day.ts';
import type { EmbeddingUsage } from '../embedding-usage.ts';
import { noteCall } from './embedding-usage.store.ts';

/**
 * Returns the US dollars that an account spent on embeddings on the UTC day of `now`. Reservations are included, since
 * the provider may have processed their calls.
 */
export async function readSpend(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly now: Date },
): Promise<number> {
  const { rows } = await sql<{ usd: number }>`
    select (spent_usd + reserved_usd)::float8 as usd from search.embedding_spend
    where account_id = ${key.accountId} and day = ${utcDay(key.now)}::date
  `.execute(db);
  return rows[0]?.usd ?? 0;
}

export interface Reservation {
  readonly accountId: string;
  /** Time that determines the day to which the cost is charged. */
  readonly now: Date;
  readonly usd: number;
  readonly capUsd: number;
}

/**
 * Reserves the cost of a call; returns false if the day's spend would exceed the cap. Uses one statement, so that two
 * callers cannot both reserve the same remaining amount. A cap of 0 does not allow any calls, not even free ones.
 */
export async function reserveSpend(db: AnyDatabase, { accountId, now, usd, capUsd }: Reservation): Promise<boolean> {
  const statement = sql`
    insert into search.embedding_spend as spend (account_id, day, reserved_usd)
    select ${accountId}::uuid, ${utcDay(now)}::date, ${usd}::numeric
    where ${capUsd}::numeric > 0 and ${usd}::numeric <= ${capUsd}::numeric
    on conflict (account_id, day) do update set reserved_usd = spend.reserved_usd + excluded.reserved_usd
    where spend.spent_usd + spend.reserved_usd + excluded.reserved_usd <= ${capUsd}::numeric
    returning true as reserved
  `;
  const { rows } = await executePrepared(db, 'embedding-reserve', statement);
  return rows.length > 0;
}

export interface CallsReservation extends Reservation {
  /**
   * Maximum cost in US dollars, which exceeds the reservation if texts may have more tokens per byte than earlier ones.
   */
  readonly mostUsd: number;
  /**
   * True for a single call: it may run at its expected cost if the account has no other call in flight, whatever its
   * maximum cost.
   */
  readonly isOne: boolean;
  readonly pricePerMtok: number;
}

/**
 * Reserves the estimated cost of calls. Several calls run at the same time only if the sum of their maximum costs fits
 * under the cap; otherwise they run one at a time, so that the cap is exceeded at most by the estimation error of one
 * call. The maximum cost of calls in flight is computed from the current texts (1.8 ms for 512 texts in 16 calls).
 * Queries reserve their maximum cost, so this computation is not needed for them. The account's work is locked, so no
 * other call of the account can be added before the commit.
 *
 * @returns whether other calls may run at the same time; undefined if the calls do not fit under the cap now
 */
export async function reserveCalls(trx: AnyTransaction, calls: CallsReservation): Promise<boolean | undefined> {
  const { accountId, now, usd, mostUsd, capUsd, isOne, pricePerMtok } = calls;
  const day = sql`${utcDay(now)}::date`;
  const beyond = sql`((select usd from under_way) + ${mostUsd}::numeric - ${usd}::numeric)`;
  const statement = sql<{ isBelowCap: boolean }>`
    with under_way as materialized (
      select count(*) as calls, coalesce(sum(greatest(0, most.usd - call.reserved_usd)), 0) as usd
      from search.embedding_call call cross join lateral (
        select coalesce(sum(octet_length(chunk.content) + ${FRAME_TOKENS}::int), 0) * ${pricePerMtok}::numeric / 1000000 as usd
        from search.embedding_task task
        join search.chunk on chunk.account_id = ${accountId}::uuid and chunk.id = task.chunk_id
        where task.state = 'called' and task.call_id = call.id
      ) most
      where call.account_id = ${accountId}::uuid and call.day = ${day}
    )
    insert into search.embedding_spend as spend (account_id, day, reserved_usd)
    select ${accountId}::uuid, ${day}, ${usd}::numeric
    where ${capUsd}::numeric > 0 and ${usd}::numeric <= ${capUsd}::numeric
      and (${isOne}::boolean or ${mostUsd}::numeric <= ${capUsd}::numeric)
    on conflict (account_id, day) do update set reserved_usd = spend.reserved_usd + excluded.reserved_usd
    where spend.spent_usd + spend.reserved_usd + excluded.reserved_usd <= ${capUsd}::numeric
      and (${isOne}::boolean and (select calls from under_way) = 0
        or spend.spent_usd + spend.reserved_usd + excluded.reserved_usd + ${beyond} <= ${capUsd}::numeric)
    returning spend.spent_usd + spend.reserved_usd + ${beyond} <= ${capUsd}::numeric as "isBelowCap"
  `;
  const { rows } = await executePrepared(trx, 'embedding-reserve-calls', statement);
  return rows[0]?.isBelowCap;
}

export interface Settlement {
  readonly accountId: string;
  /**
   * Day of the reservation, as returned by `utcDay`: a call that spans midnight is charged to the day on which it was
   * reserved.
   */
  readonly day: string;
  readonly reservedUsd: number;
  readonly spentUsd: number;
  readonly tokens: number;
  /** False if the call is not to be counted, because it was never sent or has already been counted. */
  readonly isCall?: boolean;
  /** Data for the ledger, with the total cost; undefined for a call that embedded nothing and cost nothing. */
  readonly usage?: (EmbeddingUsage & { readonly spentUsd: number }) | undefined;
}

/** Replaces the reservation of a call with its actual cost. */
export async function settleSpend(db: AnyDatabase, settlement: Settlement): Promise<void> {
  const { accountId, day, reservedUsd, spentUsd, tokens, isCall = true, usage } = settlement;
  const noted = usage === undefined ? sql`` : sql`with noted as (${noteCall(accountId, usage)})`;
  await sql`
    ${noted} update search.embedding_spend set reserved_usd = greatest(0, reserved_usd - ${reservedUsd}::numeric),
      spent_usd = spent_usd + ${spentUsd}::numeric, tokens = tokens + ${tokens}::bigint, calls = calls + ${isCall ? 1 : 0}
    where account_id = ${accountId} and day = ${day}::date
  `.execute(db);
}
