import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { EmbeddingSetting } from '../embedding-setting.ts';
import type { SeenTransactions } from '../rules/settled-time.ts';

/** Work of a due account, locked until the end of the transaction, and the account's setting, which is not locked. */
export interface DueWork
  extends Omit<EmbeddingSetting, 'hasApiKey' | 'degradedReason' | 'degradedAt'>, SeenTransactions {
  readonly accountId: string;
  readonly walkFor: string;
  readonly walkedTo: string;
  readonly probedTo: string;
  readonly isLookingBack: boolean;
  readonly failures: number;
  readonly tokensPerByte: number | null;
  readonly apiKeySealed: Buffer | null;
  readonly isDegraded: boolean;
  /** True if the account has a call whose lease has expired. */
  readonly hasExpired: boolean;
  /** True if the account has texts to retry. */
  readonly hasWaiting: boolean;
  /** True if no other account is due. */
  readonly isOnlyDue: boolean;
}

export interface DueAmong {
  /** Accounts that already have their share of batches. */
  readonly sharers: readonly string[];
  /** True if one of these accounts may get more than its share while no other account is due. */
  readonly mayFill: boolean;
}

/**
 * Locks and returns the account that has waited longest among those that are due and not locked by other transactions.
 * Uses the start of the statement as the time throughout: `clock_timestamp()` advances within a statement, so the index
 * of due accounts could not be used with it.
 */
export async function lockDueWork(trx: AnyTransaction, { sharers, mayFill }: DueAmong): Promise<DueWork | undefined> {
  const statement = sql<Omit<DueWork, 'oldestOpenXid' | 'ownXid'> & { oldestOpenXid: string; ownXid: string }>`
    select w.account_id as "accountId", w.walk_for as "walkFor", w.walked_to as "walkedTo", w.probed_to as "probedTo",
      w.look_back_at <= statement_timestamp() as "isLookingBack", w.failures, w.tokens_per_byte as "tokensPerByte",
      statement_timestamp() as now, s.is_enabled as "isEnabled", s.scope, s.provider, s.model_identifier as "modelIdentifier",
      s.base_url as "baseUrl", s.api_key_sealed as "apiKeySealed", s.daily_cap_usd::float8 as "dailyCapUsd",
      s.degraded_reason is not null as "isDegraded",
      exists (select from search.embedding_call call where call.account_id = w.account_id
        and call.lease_until <= statement_timestamp()) as "hasExpired",
      exists (select from search.embedding_task task where task.account_id = w.account_id and task.state = 'waiting'
        and task.not_before <= statement_timestamp()) as "hasWaiting",
      not exists (${otherDue}) as "isOnlyDue",
      pg_snapshot_xmin(pg_current_snapshot())::text as "oldestOpenXid", pg_current_xact_id()::text as "ownXid"
    from search.embedding_work w join search.embedding_setting s using (account_id)
    where w.due_at <= statement_timestamp()
      and (w.account_id <> all(${sharers}::uuid[]) or (${mayFill}::boolean and not exists (${otherDue})))
    order by w.served_at limit 1 for update of w skip locked
  `;
  const { rows } = await executePrepared(trx, 'embedding-due-work', statement);
  const [row] = rows;
  return row && { ...row, oldestOpenXid: BigInt(row.oldestOpenXid), ownXid: BigInt(row.ownXid) };
}

const otherDue = sql`
  select from search.embedding_work other
  where other.due_at <= statement_timestamp() and other.account_id <> w.account_id
`;

/**
 * Returns the milliseconds until the next account is due, 0 if one is due now; undefined if none becomes due without an
 * event. Accounts that already have their share of batches are not considered.
 */
export async function readNextDueMs(db: AnyDatabase, sharers: readonly string[]): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from min(due_at) - clock_timestamp())::float8 * 1000 as ms
    from search.embedding_work where due_at < 'infinity' and account_id <> all(${sharers}::uuid[])
  `.execute(db);
  const ms = rows[0]?.ms ?? undefined;
  // The maximum is not computed in SQL, where greatest(0, null) is 0.
  return ms === undefined ? undefined : Math.max(0, ms);
}

/** An id that belongs to no chunk and sorts before all others. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface WalkUpdate {
  readonly accountId: string;
  readonly walkFor: string;
  readonly probedTo: string;
  /** Highest id up to which no chunk belongs to an uncommitted transaction. */
  readonly settledTo: string;
  /** True for a new walk: the position, the ratio and the number of failures are reset. */
  readonly isNew: boolean;
  readonly lookBackInSeconds: number | undefined;
  /** Time when the account is due again; null leaves the stored time unchanged. */
  readonly dueAt: Date | null;
  readonly isHeld: boolean;
}

/** Stores the walk position and records that the account was processed. */
export async function updateWalk(trx: AnyTransaction, update: WalkUpdate): Promise<void> {
  const { accountId, walkFor, probedTo, settledTo, isNew, lookBackInSeconds = null, dueAt, isHeld } = update;
  const statement = sql`
    update search.embedding_work set walk_for = ${walkFor}, probed_to = ${probedTo}::uuid,
      walked_to = greatest(case when ${isNew}::boolean then ${BEFORE_ALL}::uuid else walked_to end,
        least(${probedTo}::uuid, ${settledTo}::uuid)),
      tokens_per_byte = case when ${isNew}::boolean then null else tokens_per_byte end,
      failures = case when ${isNew}::boolean then 0 else failures end,
      look_back_at = coalesce(clock_timestamp() + make_interval(secs => ${lookBackInSeconds}::float8), look_back_at),
      due_at = coalesce(${dueAt}::timestamptz, due_at),
      held_until = case when ${isHeld}::boolean then ${dueAt}::timestamptz else held_until end,
      served_at = clock_timestamp()
    where account_id = ${accountId}
  `;
  await executePrepared(trx, 'embedding-walk', statement);
}

/** Pauses an account until this time, even if messages arrive; null pauses it indefinitely. */
export async function holdWork(
  trx: AnyTransaction,
  hold: { readonly accountId: string; readonly until: Date | null; readonly failures: number },
): Promise<void> {
  const until = hold.until ?? 'infinity';
  await sql`
    update search.embedding_work set due_at = ${until}::timestamptz, held_until = ${until}::timestamptz,
      failures = ${Math.min(hold.failures, 1000)}, served_at = clock_timestamp()
    where account_id = ${hold.accountId}
  `.execute(trx);
}

export interface HeldWork {
  readonly failures: number;
  /**
   * True if the account is paused because of a recorded failure. An account that is paused because of its cap has no
   * recorded failure.
   */
  readonly isHeld: boolean;
  /** Ratio of tokens to bytes; null if the provider has not embedded anything in this walk yet. */
  readonly tokensPerByte: number | null;
  readonly now: Date;
}

/**
 * Locks the work of an account. Call this before the account's embedding setting is read or changed: saving the setting
 * locks the work first, then the setting.
 */
export async function lockWork(trx: AnyTransaction, accountId: string): Promise<HeldWork | undefined> {
  const { rows } = await sql<HeldWork>`
    select failures, failures > 0 and held_until > clock_timestamp() as "isHeld", tokens_per_byte as "tokensPerByte",
      clock_timestamp() as now
    from search.embedding_work where account_id = ${accountId} for update
  `.execute(trx);
  return rows[0];
}

/**
 * Ends the pause of an account whose setting was saved. The number of recorded failures is reduced to `mostFailures` if
 * it is higher; saving a setting does not reset it to 0.
 */
export async function renewWork(
  trx: AnyTransaction,
  { accountId, mostFailures }: { readonly accountId: string; readonly mostFailures: number },
): Promise<void> {
  await sql`
    insert into search.embedding_work as work (account_id, due_at) values (${accountId}, clock_timestamp())
    on conflict (account_id) do update set due_at = excluded.due_at, held_until = '-infinity',
      failures = least(work.failures, ${mostFailures}::smallint)
  `.execute(trx);
}

/**
 * Ends the restriction to a single call after the provider has embedded the texts of this call, and stores the ratio of
 * tokens to bytes; further calls may run concurrently again.
 */
export async function releaseWork(db: AnyDatabase, accountId: string, tokensPerByte: number): Promise<void> {
  await sql`
    update search.embedding_work set due_at = least(due_at, clock_timestamp()), held_until = '-infinity', failures = 0,
      tokens_per_byte = ${tokensPerByte}::float8
    where account_id = ${accountId}
  `.execute(db);
}

/** Ends the pause of an account after a call that did not show whether the provider can embed. */
export async function resumeWork(
  trx: AnyTransaction,
  { accountId, failures }: { readonly accountId: string; readonly failures: number },
): Promise<void> {
  await sql`
    update search.embedding_work set due_at = least(due_at, clock_timestamp()), held_until = '-infinity',
      failures = ${Math.min(failures, 1000)}
    where account_id = ${accountId}
  `.execute(trx);
}

/** Makes accounts with new chunks due, unless they are paused. */
export async function nudgeAccounts(db: AnyDatabase, accountIds: readonly string[]): Promise<void> {
  await sql`
    with told as (
      select account_id from search.embedding_work
      where account_id = any(${accountIds}::uuid[]) and due_at > greatest(clock_timestamp(), held_until)
      order by account_id for update
    )
    update search.embedding_work set due_at = greatest(clock_timestamp(), held_until)
    from told where embedding_work.account_id = told.account_id
  `.execute(db);
}

/** Number and waiting time of due accounts. */
export interface EmbeddingBacklog {
  readonly dueAccounts: number;
  /** Seconds for which the account that has waited longest has been due without being processed; 0 if none is due. */
  readonly oldestDueSeconds: number;
}

export async function readEmbeddingBacklog(db: AnyDatabase): Promise<EmbeddingBacklog> {
  const { rows } = await sql<{ accounts: number; seconds: number | null }>`
    select count(*)::int as accounts,
      greatest(0, extract(epoch from clock_timestamp() - min(greatest(due_at, served_at))))::float8 as seconds
    from search.embedding_work where due_at <= statement_timestamp()
  `.execute(db);
  return { dueAccounts: rows[0]?.accounts ?? 0, oldestDueSeconds: rows[0]?.seconds ?? 0 };
}

/** Lets the next claim begin a new walk, because the dimensions of the provider's vectors have changed. */
export async function restartWalk(db: AnyDatabase, accountId: string): Promise<void> {
  await sql`
    update search.embedding_work set walk_for = '', due_at = least(due_at, clock_timestamp()) where account_id = ${accountId}
  `.execute(db);
}

/** Stores the ratio of tokens to bytes, which rises immediately and falls gradually (see `learnRatio`). */
export async function updateRatio(db: AnyDatabase, accountId: string, tokensPerByte: number): Promise<void> {
  await sql`
    update search.embedding_work set tokens_per_byte = ${tokensPerByte} where account_id = ${accountId}
  `.execute(db);
}
