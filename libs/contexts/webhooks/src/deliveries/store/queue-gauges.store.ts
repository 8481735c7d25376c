import type { AnyDatabase } from '@steward/database';
import { sql } from 'kysely';
import { takesDeliveries } from '../../breaker/store/takes-deliveries.store.ts';
import type { CircuitState } from '../../schema.ts';

/** Gauges for operators, across all workers. */
export interface QueueGauges {
  /**
   * Seconds for which a delivery that may be sent now has been due: the maximum over all of them, 0 if there is none.
   * Deliveries to inactive endpoints and to endpoints whose breaker is not closed are not included.
   */
  readonly oldestDueSeconds: number;
  readonly pending: number;
  readonly breakers: Readonly<Record<CircuitState, number>>;
  readonly refusingAccounts: number;
  /** Total number of events refused because an outbox was full. */
  readonly refusedEvents: number;
  /**
   * The accounts with the most undelivered rows, in descending order: limited to a few, because each one is a label
   * value of a metric.
   */
  readonly fullestOutboxes: readonly { readonly accountId: string; readonly pending: number }[];
  readonly recoveriesRunning: number;
  /** Number of dead deliveries that running recoveries have not queued yet. */
  readonly recoveryRemaining: number;
}

const FULLEST_ACCOUNTS = 20;

export async function readQueueGauges(db: AnyDatabase): Promise<QueueGauges> {
  const result = await sql<{
    oldest: number;
    pending: number;
    open: number;
    half_open: number;
    closed: number;
    refusing: number;
    refused: number;
    fullest: { account_id: string; pending: number }[];
    recoveries: number;
    remaining: number;
  }>`
    with recursive walk as (
      (select d.endpoint_id from webhooks.delivery d where d.waits_for is null order by d.endpoint_id limit 1)
      union all
      select (
        select d.endpoint_id from webhooks.delivery d where d.waits_for is null and d.endpoint_id > w.endpoint_id
        order by d.endpoint_id limit 1
      )
      from walk w where w.endpoint_id is not null
    )
    select
      coalesce((
        select extract(epoch from clock_timestamp() - min(due.next_attempt_at))::float8 from (
          select d.next_attempt_at
          from walk w join webhooks.endpoint e on e.id = w.endpoint_id
          cross join lateral (
            select d.next_attempt_at from webhooks.delivery d
            where d.endpoint_id = e.id and d.waits_for is null and d.next_attempt_at <= clock_timestamp()
            order by d.next_attempt_at limit 1
          ) d
          where ${takesDeliveries}
          union all
          -- Not woken yet.
          (
            select d.next_attempt_at from webhooks.delivery d join webhooks.endpoint e on e.id = d.endpoint_id
            where d.waits_for = 'time' and d.next_attempt_at <= clock_timestamp() and ${takesDeliveries}
            order by d.next_attempt_at limit 1
          )
        ) due
      ), 0) as oldest,
      (select coalesce(sum(pending), 0)::int from webhooks.outbox_shard) as pending,
      (select count(*)::int from webhooks.outbox_counter where refused_at is not null) as refusing,
      (select coalesce(sum(refused_count), 0)::bigint from webhooks.outbox_counter) as refused,
      (
        select coalesce(json_agg(json_build_object('account_id', account_id, 'pending', pending)), '[]')
        from (
          select account_id, sum(pending)::int as pending from webhooks.outbox_shard
          group by account_id having sum(pending) > 0
          order by sum(pending) desc, account_id limit ${FULLEST_ACCOUNTS}
        ) fullest
      ) as fullest,
      (select count(*)::int from webhooks.recovery_job where finished_at is null) as recoveries,
      (
        select coalesce(sum(greatest(0, matched - queued)), 0)::int from webhooks.recovery_job where finished_at is null
      ) as remaining,
      b.open, b.half_open, b.closed
    from (
      select count(*) filter (where circuit_state = 'open')::int as open,
        count(*) filter (where circuit_state = 'half_open')::int as half_open,
        count(*) filter (where circuit_state = 'closed')::int as closed
      from webhooks.endpoint where deleted_at is null
    ) b
  `.execute(db);
  const row = result.rows[0];
  if (row === undefined) throw new Error('the gauges query returned no row');
  return {
    oldestDueSeconds: Math.max(0, row.oldest),
    pending: row.pending,
    breakers: { open: row.open, half_open: row.half_open, closed: row.closed },
    refusingAccounts: row.refusing,
    refusedEvents: row.refused,
    fullestOutboxes: row.fullest.map(({ account_id: accountId, pending }) => ({ accountId, pending })),
    recoveriesRunning: row.recoveries,
    recoveryRemaining: row.remaining,
  };
}
