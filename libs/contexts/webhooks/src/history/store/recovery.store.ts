import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { selectNextSpan } from '../../outbox/store/next-span.store.ts';
import { tables } from '../../schema.ts';
import { smallestId } from './delivery.store.ts';

/**
 * Scope of a recovery: the dead deliveries to be queued again; the bounds apply to the creation time, as in the lists.
 */
export interface RecoveryScope {
  readonly accountId: string;
  readonly endpointId: string | undefined;
  readonly since: Date;
  readonly until: Date;
}

export interface RecoveryJob {
  readonly id: string;
  readonly endpointId: string | null;
  readonly since: Date;
  readonly until: Date;
  /** Number of dead deliveries in the scope that had not been sent again at the time of the request. */
  readonly matched: number;
  readonly queued: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/**
 * Builds the SQL condition for the dead rows in the scope. `d` is `delivery_done`; a delivery that died after
 * `diedBefore` belongs to a later recovery.
 */
function buildScope(scope: RecoveryScope, diedBefore: RawBuilder<unknown>): RawBuilder<unknown> {
  const ofEndpoint = scope.endpointId === undefined ? sql`` : sql`and d.endpoint_id = ${scope.endpointId}`;
  // The bounds on the id let the time range use the partial index of dead rows; they allow one second of tolerance, as
  // in the lists.
  return sql`
    d.account_id = ${scope.accountId} and d.status = 'dead' ${ofEndpoint}
    and d.created_at >= ${scope.since} and d.created_at < ${scope.until} and d.finished_at <= ${diedBefore}
    and d.id >= ${smallestId(scope.since.getTime() - 1000)} and d.id < ${smallestId(scope.until.getTime() + 1000)}`;
}

/**
 * Condition: there is no later generation, so that replayed or recovered deliveries are not queued a second time. The
 * two tables are checked by separate conditions, so that the planner can turn these into joins. The history is not
 * filtered by account, because the endpoint determines the account: with such a filter, a partition without statistics
 * was read through the account's index for every row (100,000 dead rows took 244 s with the filter, 0.8 s without it,
 * and 0.1 s with statistics).
 */
const isLatest = sql`
  not exists (select from webhooks.delivery n where n.account_id = d.account_id and n.event_id = d.event_id
    and n.endpoint_id = d.endpoint_id and n.generation > d.generation)
  and not exists (select from webhooks.delivery_done n where n.event_id = d.event_id
    and n.endpoint_id = d.endpoint_id and n.generation > d.generation)`;

/**
 * Returns how many of an account's newest dead deliveries have not been sent again since; `newest` is the number of
 * deliveries that are checked.
 */
export async function countUnrepaired(db: AnyDatabase, accountId: string, newest: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select account_id, event_id, endpoint_id, generation from webhooks.delivery_done
      where account_id = ${accountId} and status = 'dead' order by id desc limit ${newest}
    ) d where ${isLatest}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Returns the number of dead deliveries in the scope that have not been sent again, and how many of them have an active
 * endpoint.
 */
export async function countRecoverable(
  db: AnyDatabase,
  scope: RecoveryScope,
): Promise<{ matched: number; queueable: number }> {
  const result = await sql<{ matched: number; queueable: number }>`
    select count(*)::int as matched, count(*) filter (where e.active and e.deleted_at is null)::int as queueable
    from webhooks.delivery_done d left join webhooks.endpoint e on e.id = d.endpoint_id
    where ${buildScope(scope, sql`now()`)} and ${isLatest}
  `.execute(db);
  return result.rows[0] ?? { matched: 0, queueable: 0 };
}

export async function insertRecoveryJob(
  trx: AnyTransaction,
  job: RecoveryScope & { readonly id: string; readonly matched: number; readonly traceparent: string },
): Promise<void> {
  await tables(trx)
    .insertInto('webhooks.recovery_job')
    .values({
      id: job.id,
      account_id: job.accountId,
      endpoint_id: job.endpointId ?? null,
      since: job.since,
      until: job.until,
      matched: job.matched,
      traceparent: job.traceparent,
    })
    .execute();
}

export async function findRecoveryJob(
  db: AnyDatabase,
  accountId: string,
  id: string,
): Promise<RecoveryJob | undefined> {
  const row = await tables(db)
    .selectFrom('webhooks.recovery_job')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    since: row.since,
    until: row.until,
    matched: row.matched,
    queued: row.queued,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

/** A job whose row this transaction has locked: no other process works on it. */
export interface LockedJob extends RecoveryScope {
  readonly id: string;
  readonly afterId: string | null;
  /** Trace of the request; null for a job that was requested before traces were introduced. */
  readonly traceparent: string | null;
}

const isDue = sql`finished_at is null and next_run_at <= clock_timestamp()`;

/** Selects the due recoveries of all accounts. */
export const DUE_RECOVERIES = sql`select from webhooks.recovery_job where ${isDue}`;

/**
 * Locks and returns the due job that has waited longest and is not locked by another worker; undefined if there is
 * none. Jobs take turns after each batch.
 */
export async function lockDueJob(trx: AnyTransaction): Promise<LockedJob | undefined> {
  const result = await sql<{
    id: string;
    account_id: string;
    endpoint_id: string | null;
    since: Date;
    until: Date;
    after_id: string | null;
    traceparent: string | null;
  }>`
    select id, account_id, endpoint_id, since, until, after_id, traceparent from webhooks.recovery_job
    where ${isDue}
    order by next_run_at limit 1 for no key update skip locked
  `.execute(trx);
  const row = result.rows[0];
  if (row === undefined) return undefined;
  return {
    id: row.id,
    accountId: row.account_id,
    endpointId: row.endpoint_id ?? undefined,
    since: row.since,
    until: row.until,
    afterId: row.after_id,
    traceparent: row.traceparent,
  };
}

/**
 * Queues the next `limit` dead deliveries as a new generation of their events and advances the job, in one statement
 * while the account's shards are locked; the caller adds the new deliveries to the counter. Deliveries that have been
 * sent again since, and those to inactive or deleted endpoints, are skipped.
 */
export async function queueRecoveryBatch(
  trx: AnyTransaction,
  job: LockedJob,
  limit: number,
): Promise<{ queued: number; finished: boolean }> {
  const beyond = job.afterId === null ? sql`` : sql`and d.id > ${job.afterId}`;
  const diedBefore = sql`(select created_at from webhooks.recovery_job where id = ${job.id})`;
  const result = await sql<{ queued: number; finished: boolean }>`
    with page as (
      select d.id, d.account_id, d.event_id, d.endpoint_id, d.generation from webhooks.delivery_done d
      where ${buildScope(job, diedBefore)} ${beyond}
      order by d.id limit ${limit}
    ), wanted as (
      select d.event_id, d.endpoint_id from page d
      join webhooks.endpoint e on e.id = d.endpoint_id and e.active and e.deleted_at is null
      where ${isLatest}
    ), raised as (
      update webhooks.event v set generation = v.generation + 1
      from (select distinct event_id from wanted) w
      where v.account_id = ${job.accountId} and v.id = w.event_id
      returning v.id, v.type, v.generation, v.occurred_at
    ), queued as (
      insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, generation, occurred_at, traceparent)
      select ${job.accountId}::uuid, w.endpoint_id, r.id, r.type, r.generation, r.occurred_at,
        ${selectNextSpan(sql`${job.traceparent}`)}
      from wanted w join raised r on r.id = w.event_id
      returning id
    ), moved as (
      select (select count(*)::int from queued) as queued, (select count(*) from page) < ${limit}::int as finished,
        (select id from page order by id desc limit 1) as last_id
    )
    update webhooks.recovery_job j set
      queued = j.queued + m.queued,
      after_id = coalesce(m.last_id, j.after_id),
      next_run_at = clock_timestamp(),
      finished_at = case when m.finished then clock_timestamp() end
    from moved m where j.id = ${job.id}
    returning m.queued, m.finished
  `.execute(trx);
  const row = result.rows[0];
  if (row === undefined) throw new Error('the recovery job just locked is missing');
  return row;
}

/** Postpones a job by this number of seconds. */
export async function postponeJob(trx: AnyTransaction, id: string, seconds: number): Promise<void> {
  await sql`
    update webhooks.recovery_job set next_run_at = clock_timestamp() + make_interval(secs => ${seconds}) where id = ${id}
  `.execute(trx);
}
