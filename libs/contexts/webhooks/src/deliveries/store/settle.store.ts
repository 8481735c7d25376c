import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { COUNTED_IN } from '../../outbox/store/shard.store.ts';
import type { DeliveryOutcome } from '../rules/outcome.ts';

/** SQL expressions for the statement that writes outcomes; they determine which outcomes of a batch are written. */
export interface SettleGate {
  /** Defines `taken`: the accepted outcomes, each with the locked counter shard of its account. */
  readonly taken: RawBuilder<unknown>;
  /** Defines `noted`: further changes for the rows in `finished`. */
  readonly noted: RawBuilder<unknown>;
  /** Selects the accounts that may have a mark for refused events; such a mark can now be removed. */
  readonly refused: RawBuilder<unknown>;
}

/**
 * Gate that accepts every outcome. It is used after `lockCounters`, which returns the accounts with refusals, and after
 * `lockEndpoints`; the caller writes the locked endpoints afterwards.
 */
export const openGate: SettleGate = {
  taken: sql`taken as materialized (select o.*, ${sql.lit(COUNTED_IN.outcomes)}::smallint as shard from outcome o)`,
  noted: sql`noted as (select)`,
  refused: sql`select null::uuid where false`,
};

export interface WrittenOutcomes {
  readonly written: readonly DeliveryOutcome[];
  /** Outcomes that were not accepted; nothing was changed for them. */
  readonly left: readonly DeliveryOutcome[];
  /** Outcomes whose claim is no longer held: a worker that has lost its lease changes nothing. */
  readonly lost: readonly DeliveryOutcome[];
  readonly refusedAccountIds: readonly string[];
}

/**
 * Locks, for each account, the counter shard from which the account's finished deliveries are subtracted. These locks
 * are the first in the lock order. Returns the accounts that may have a mark for refused events; such a mark can now be
 * removed.
 */
export async function lockCounters(trx: AnyTransaction, accountIds: readonly string[]): Promise<string[]> {
  const result = await sql<{ account_id: string; bound: number; refused: boolean }>`
    select s.account_id, s.bound, c.refused_at is not null as refused
    from webhooks.outbox_shard s join webhooks.outbox_counter c on c.account_id = s.account_id
    where s.account_id = any (${accountIds}::uuid[]) and s.shard = ${COUNTED_IN.outcomes}
    order by s.account_id for no key update of s
  `.execute(trx);
  // A refusal also sets `bound` of the shards to 0; the locked row shows this even if the refusal was committed while
  // this statement waited for the lock.
  return result.rows.filter((row) => row.refused || row.bound === 0).map((row) => row.account_id);
}

/**
 * Returns SQL that selects the outcomes of the batch as rows. Times are passed as numbers, because the driver takes
 * longer to serialize a date.
 */
function buildOutcomes(outcomes: readonly DeliveryOutcome[]): RawBuilder<unknown> {
  const column = <T>(read: (outcome: DeliveryOutcome) => T): T[] => outcomes.map(read);
  return sql`
    select o.*, to_timestamp(o.started_ms / 1000.0) as started_at from unnest(
      ${column((o) => o.deliveryId)}::uuid[], ${column((o) => o.endpointId)}::uuid[],
      ${column((o) => o.accountId)}::uuid[], ${column((o) => o.claimToken)}::uuid[], ${column((o) => o.verdict)}::text[],
      ${column((o) => o.retryDelayMs ?? null)}::int[], ${column((o) => o.isProbe)}::boolean[],
      ${column((o) => o.attempt.number)}::smallint[], ${column((o) => o.attempt.startedAt.getTime())}::float8[],
      ${column((o) => o.attempt.durationMs)}::int[], ${column((o) => o.attempt.dnsMs)}::int[],
      ${column((o) => o.attempt.connectMs)}::int[], ${column((o) => o.attempt.tlsMs)}::int[],
      ${column((o) => o.attempt.firstByteMs)}::int[], ${column((o) => o.attempt.responseStatus)}::int[],
      ${column((o) => o.attempt.error)}::text[], ${column((o) => o.attempt.errorClass)}::text[],
      ${column((o) => o.attempt.remoteAddress)}::text[], ${column((o) => o.attempt.answer ?? null)}::text[]
    ) with ordinality as o (
      id, endpoint_id, account_id, token, verdict, retry_ms, is_probe, number, started_ms, duration_ms, dns_ms, connect_ms,
      tls_ms, first_byte_ms, response_status, error, error_class, remote_address, answer, position
    )`;
}

/**
 * Writes the outcomes that are accepted and whose claim is still held: finished rows move to the history, the others
 * are given the time of their next attempt, each attempt is logged in a row, the results for receivers of approval
 * workflows are stored for `reportWorkflowDeliveries`, and the counters are reduced by the number of rows that left the
 * table of pending deliveries. One delivery may occur twice in the batch: with a lost claim and with the claim after
 * it.
 */
export async function writeOutcomes(
  db: AnyDatabase,
  outcomes: readonly DeliveryOutcome[],
  gate: SettleGate,
): Promise<WrittenOutcomes> {
  const result = await sql<{ position: number | null; taken: boolean; refused: string | null }>`
    with outcome as materialized (${buildOutcomes(outcomes)}), ${gate.taken}, retried as (
      update webhooks.delivery d
      set attempt_count = o.number, next_attempt_at = clock_timestamp() + o.retry_ms * interval '1 millisecond',
        waits_for = 'time', claim_token = null, claim_until = null, response_status = o.response_status, last_error = o.error
      from taken o
      where d.id = o.id and d.claim_token = o.token and o.verdict = 'failed'
      returning o.position, d.next_attempt_at
    ), finished as (
      delete from webhooks.delivery d using taken o
      where d.id = o.id and d.claim_token = o.token and o.verdict <> 'failed'
      returning d.id, d.account_id, d.endpoint_id, d.event_id, d.event_type, d.generation, d.occurred_at, d.created_at,
        d.traceparent, o.verdict, o.number, o.response_status, o.error, o.shard, o.position
    ), archived as (
      insert into webhooks.delivery_done (
        id, account_id, endpoint_id, event_id, event_type, generation, status, attempt_count, response_status,
        last_error, occurred_at, created_at, finished_at, traceparent
      )
      select id, account_id, endpoint_id, event_id, event_type, generation, verdict, number, response_status,
        error, occurred_at, created_at, clock_timestamp(), traceparent
      from finished
    ), accepted as (
      insert into webhooks.acceptance (delivery_id, account_id, workflow_id, event_id, event_type, accepted_at, error)
      select f.id, f.account_id, e.source_id, f.event_id, f.event_type, clock_timestamp(),
        case f.verdict when 'dead' then coalesce(f.error, 'The receiver did not accept it.') end
      from finished f join webhooks.endpoint e on e.id = f.endpoint_id
      where f.verdict in ('delivered', 'dead') and e.source = 'approval_workflow'
    ), counted as (
      update webhooks.outbox_shard s set pending = s.pending - f.n
      from (select account_id, shard, count(*)::int as n from finished group by account_id, shard) f
      where s.account_id = f.account_id and s.shard = f.shard
    ), settled as (
      select position, next_attempt_at from retried
      union all
      select position, null from finished
    ), logged as (
      insert into webhooks.attempt (
        delivery_id, account_id, number, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
        response_status, error, error_class, remote_address, answer, next_attempt_at, is_probe
      )
      select o.id, o.account_id, o.number, o.started_at, o.duration_ms, o.dns_ms, o.connect_ms, o.tls_ms, o.first_byte_ms,
        o.response_status, o.error, o.error_class, o.remote_address, o.answer, s.next_attempt_at, o.is_probe
      from settled s join outcome o on o.position = s.position
    ), ${gate.noted}
    select o.position::int as position, exists (select from taken t where t.position = o.position) as taken,
      null::uuid as refused
    from outcome o where not exists (select from settled s where s.position = o.position)
    union all
    select null, false, r.account_id from (${gate.refused}) r (account_id)
  `.execute(db);
  // Positions start at one.
  const missing = new Map(
    result.rows.flatMap(({ position, taken }) => (position === null ? [] : [[position - 1, taken]])),
  );
  const pick = (taken: boolean | undefined) => outcomes.filter((_outcome, index) => missing.get(index) === taken);
  return {
    written: pick(undefined),
    left: pick(false),
    lost: pick(true),
    refusedAccountIds: result.rows.flatMap(({ refused }) => (refused === null ? [] : [refused])),
  };
}
