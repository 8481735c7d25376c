import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { SpendSubject } from '../spend.ts';

/** A stored reservation. */
export interface Reservation extends SpendSubject {
  readonly id: string;
  readonly state: 'held' | 'assumed';
  readonly amountUsd: string;
  readonly occurredAt: Date;
  readonly budgetIds: readonly string[];
  readonly periodStarts: readonly Date[];
  readonly call: object;
  readonly aliveUntil: Date;
  /** Maximum number of tokens of the call; null if its API key has no limits. */
  readonly tokens: number | null;
}

interface ReservationRow {
  readonly id: string;
  readonly state: Reservation['state'];
  readonly amount: string;
  readonly occurred_at: Date;
  readonly api_key_id: string | null;
  readonly managed_agent_id: string | null;
  readonly flow_id: string | null;
  readonly model_alias: string | null;
  readonly budget_ids: string[];
  readonly period_starts: Date[];
  readonly call: object;
  readonly alive_until: Date;
  readonly tokens: string | null;
}

const COLUMNS = sql`id, state, trim_scale(amount)::text as amount, occurred_at, api_key_id, managed_agent_id, flow_id,
  model_alias, budget_ids, period_starts, call, alive_until, tokens`;

/**
 * Locks the reservations of calls that end. A transaction that ends calls locks their reservations before it writes
 * their usage rows, and locks the ledger last. A transaction that ends orphaned calls also writes usage rows, but locks
 * the ledger first; it skips locked reservations, since otherwise it could deadlock with a transaction of the first
 * kind.
 */
export async function holdReservations(trx: AnyTransaction, calls: readonly HeldCall[]): Promise<void> {
  await selectHeld(calls).execute(trx);
}

export interface HeldCall {
  readonly accountId: string;
  readonly id: string;
}

/**
 * Builds the query of `holdReservations` for use in another statement: it locks the reservations one after the other in
 * a consistent order, so that no two statements deadlock.
 */
export function selectHeld(calls: readonly HeldCall[]): RawBuilder<unknown> {
  const sorted = calls.toSorted((a, b) => (a.accountId + a.id < b.accountId + b.id ? -1 : 1));
  return sql`
    select from unnest(${sorted.map(({ accountId }) => accountId)}::uuid[], ${sorted.map(({ id }) => id)}::uuid[]) as c (account_id, id)
    cross join lateral (
      select from budgets.reservation r where r.account_id = c.account_id and r.id = c.id for update
    ) held
  `;
}

/**
 * Extends the reservations of calls in progress. A call that is ending needs no heartbeat. A call that takes over a
 * reservation holds the ledger lock while it waits for the commit of a heartbeat, so this commit does not wait for the
 * disk; if a crash loses a heartbeat, the next heartbeat replaces it. A heartbeat never shortens the time set by an
 * earlier one.
 */
export async function keepReservationsAlive(
  db: AnyDatabase,
  {
    accountId,
    ids,
    aliveUntil,
  }: { readonly accountId: string; readonly ids: readonly string[]; readonly aliveUntil: Date },
): Promise<void> {
  await sql`
    with soon as materialized (select set_config('synchronous_commit', 'off', true) = 'off' as is_set)
    update budgets.reservation set alive_until = greatest(alive_until, ${aliveUntil})
    where (select is_set from soon) and account_id = ${accountId} and id in (
      select id from budgets.reservation
      where account_id = ${accountId} and id = any(${[...ids]}::uuid[]) and state = 'held' for no key update skip locked
    )
  `.execute(db);
}

/**
 * Adds the reservations of calls of an agent, and of agents merged into it, to those budgets of the agent that do not
 * contain them yet. Called under the ledger lock after a merge. Skips calls that are ending: they have locked their
 * reservations and wait for the ledger, so waiting for them would cause a deadlock.
 */
export async function carryHolds(
  trx: AnyTransaction,
  { accountId, to }: { readonly accountId: string; readonly to: string },
): Promise<void> {
  await sql`
    with held as materialized (
      select id, amount, occurred_at, model_alias, budget_ids from budgets.reservation
      where account_id = ${accountId} and state = 'held' and (managed_agent_id = ${to} or managed_agent_id in (
        select agent_id from budgets.merged_agent where account_id = ${accountId} and merged_into = ${to}))
      order by id for key share skip locked
    ), added as materialized (
      select h.id, h.amount, b.id as budget_id, budgets.start_of(b.period, h.occurred_at, b.time_zone) as period_start
      from held h join budgets.budget b on b.account_id = ${accountId} and b.scope = 'managed_agent' and b.scope_id = ${to}
        and (b.model_alias is null or b.model_alias = h.model_alias) and b.id <> all (h.budget_ids)
    ), noted as (
      update budgets.reservation r set budget_ids = r.budget_ids || a.budget_ids, period_starts = r.period_starts || a.starts
      from (
        select id, array_agg(budget_id order by budget_id) as budget_ids, array_agg(period_start order by budget_id) as starts
        from added group by id
      ) a where r.account_id = ${accountId} and r.id = a.id
    )
    insert into budgets.bucket as k (account_id, budget_id, period_start, spent, reserved)
    select ${accountId}, budget_id, period_start, 0, sum(amount) from added group by budget_id, period_start
    on conflict on constraint bucket_pkey do update set reserved = k.reserved + excluded.reserved
  `.execute(trx);
}

/** Returns the ids of up to 1,000 accounts with calls whose process died. */
export async function listAccountsOfDead(db: AnyDatabase, now: Date): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from budgets.reservation where state = 'held' and alive_until < ${now} limit 1000
  `.execute(db);
  return rows.map((row) => row.account_id);
}

/** Locks and returns the calls whose process died. Skips calls that are ending, which are not orphaned. */
export async function lockDead(trx: AnyTransaction, accountId: string, now: Date): Promise<Reservation[]> {
  const { rows } = await sql<ReservationRow>`
    select ${COLUMNS} from budgets.reservation
    where account_id = ${accountId} and state = 'held' and alive_until < ${now} for update skip locked
  `.execute(trx);
  return rows.map(readRow);
}

/** Stores the assumed settlements of calls, in case the actual cost of one of the calls is reported after all. */
export async function insertAssumed(
  trx: AnyTransaction,
  accountId: string,
  reservations: readonly Reservation[],
): Promise<void> {
  if (reservations.length === 0) return;
  const rows = reservations.map((one) => ({
    account_id: accountId,
    id: one.id,
    state: 'assumed',
    amount: one.amountUsd,
    occurred_at: one.occurredAt,
    api_key_id: one.apiKeyId,
    managed_agent_id: one.managedAgentId,
    flow_id: one.flowId,
    model_alias: one.modelAlias,
    budget_ids: one.budgetIds,
    period_starts: one.periodStarts,
    call: one.call,
    alive_until: one.aliveUntil,
  }));
  await sql`
    insert into budgets.reservation
    select * from jsonb_populate_recordset(null::budgets.reservation, ${JSON.stringify(rows)}::jsonb)
  `.execute(trx);
}

/**
 * Deletes assumed settlements whose heartbeat expired before a time; the actual cost of these calls is no longer
 * expected.
 */
export async function forgetAssumed(db: AnyDatabase, before: Date): Promise<void> {
  await sql`delete from budgets.reservation where state = 'assumed' and alive_until < ${before}`.execute(db);
}

function readRow(row: ReservationRow): Reservation {
  return {
    id: row.id,
    state: row.state,
    amountUsd: row.amount,
    occurredAt: row.occurred_at,
    apiKeyId: row.api_key_id,
    managedAgentId: row.managed_agent_id,
    flowId: row.flow_id,
    modelAlias: row.model_alias,
    budgetIds: row.budget_ids,
    periodStarts: row.period_starts,
    call: row.call,
    aliveUntil: row.alive_until,
    tokens: row.tokens === null ? null : Number(row.tokens),
  };
}
