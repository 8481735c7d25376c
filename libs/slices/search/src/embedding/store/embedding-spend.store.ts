import { sql } from 'kysely';
import { executePrepared, type AnyDatabase } from '@steward/database';
import { utcDay } from '../rules/utc-day.ts';

/** US dollars an account spent on embeddings on the UTC day of `now`. What is reserved counts: its call may have been answered. */
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
  /** Decides the day that pays. */
  readonly now: Date;
  readonly usd: number;
  readonly capUsd: number;
}

/**
 * Sets money aside before a call; false: with it the day would pass its cap. One statement, so that no two callers can both
 * find room for one call. A cap of 0 lets nothing through, not even what is free.
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

export interface Settlement {
  readonly accountId: string;
  /** That of the reservation, as `utcDay` gives it: a call over midnight is paid by the day that let it through. */
  readonly day: string;
  readonly reservedUsd: number;
  readonly spentUsd: number;
  readonly tokens: number;
  /** False for a call that was never made. */
  readonly isCall?: boolean;
}

/** Puts what a call took in the place of what was reserved for it. */
export async function settleSpend(db: AnyDatabase, settlement: Settlement): Promise<void> {
  const { accountId, day, reservedUsd, spentUsd, tokens, isCall = true } = settlement;
  await sql`
    update search.embedding_spend set reserved_usd = greatest(0, reserved_usd - ${reservedUsd}::numeric),
      spent_usd = spent_usd + ${spentUsd}::numeric, tokens = tokens + ${tokens}::bigint, calls = calls + ${isCall ? 1 : 0}
    where account_id = ${accountId} and day = ${day}::date
  `.execute(db);
}
