import { sql, type Kysely } from 'kysely';
import type { WebhooksDatabase } from '../schema.ts';
import type { DeliveryOutcome } from './settle.store.ts';

export interface DeliveredRows {
  /** Positions of outcomes that were not written, because something they need is in use or not calm. */
  readonly left: readonly number[];
  /** Positions of outcomes whose claim is no longer held. */
  readonly lost: readonly number[];
  /** Accounts that may carry a refusal to clear. */
  readonly refused: readonly string[];
}

/**
 * Writes successes, as `writeOutcomes` does, in one statement and one commit: those of calm endpoints (breaker closed, no
 * failure counted), on which a success changes nothing but when it was. That is noted at most once a second, or the
 * endpoint's row would be written anew for every batch.
 *
 * Takes every lock with `skip locked`, so it waits for nobody and cannot be part of a deadlock; what it cannot have is
 * left to the way that waits. It holds a shard of every account it finishes rows of, which keeps a deletion of their
 * endpoint out.
 */
export async function writeDelivered(
  db: Kysely<WebhooksDatabase>,
  outcomes: readonly DeliveryOutcome[],
): Promise<DeliveredRows> {
  const column = <T>(read: (outcome: DeliveryOutcome) => T): T[] => outcomes.map(read);
  const isCalm = sql`e.circuit_state = 'closed' and e.consecutive_failures = 0`;
  const isDue = sql`(
    e.last_delivery_at is null or e.last_delivery_at < clock_timestamp() - interval '1 second'
    or e.last_delivery_status <> 'delivered' or e.last_error is not null)`;
  const result = await sql<{ position: number | null; taken: boolean; refused: string | null }>`
    with outcome as materialized (
      select o.*, to_timestamp(o.started_ms / 1000.0) as started_at from unnest(
        ${column((o) => o.deliveryId)}::uuid[], ${column((o) => o.endpointId)}::uuid[],
        ${column((o) => o.accountId)}::uuid[], ${column((o) => o.claimToken)}::uuid[],
        ${column((o) => o.attempt.number)}::smallint[], ${column((o) => o.attempt.startedAt.getTime())}::float8[],
        ${column((o) => o.attempt.durationMs)}::int[], ${column((o) => o.attempt.dnsMs)}::int[],
        ${column((o) => o.attempt.connectMs)}::int[], ${column((o) => o.attempt.tlsMs)}::int[],
        ${column((o) => o.attempt.firstByteMs)}::int[], ${column((o) => o.attempt.responseStatus)}::int[],
        ${column((o) => o.attempt.remoteAddress)}::text[]
      ) with ordinality as o (
        id, endpoint_id, account_id, token, number, started_ms, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
        response_status, remote_address, position
      )
    ), calm as materialized (
      select e.id, e.source, e.source_id, ${isDue} as is_due from webhooks.endpoint e
      where e.id = any (${[...new Set(column((o) => o.endpointId))]}::uuid[]) and ${isCalm}
    ), due as materialized (
      select e.id from webhooks.endpoint e
      where e.id in (select id from calm where is_due) and ${isCalm}
      for no key update skip locked
    ), receiver as materialized (
      select id, source, source_id from calm where not is_due or id in (select id from due)
    ), shard as materialized (
      select a.account_id, s.shard, s.bound
      from unnest(${[...new Set(column((o) => o.accountId))]}::uuid[]) a (account_id)
      cross join lateral (
        select shard, bound from webhooks.outbox_shard s where s.account_id = a.account_id
        order by random() limit 1 for no key update skip locked
      ) s
    ), taken as materialized (
      select o.*, r.source, r.source_id from outcome o
      join receiver r on r.id = o.endpoint_id join shard s on s.account_id = o.account_id
    ), finished as (
      delete from webhooks.delivery d using taken o
      where d.id = o.id and d.claim_token = o.token
      returning d.id, d.account_id, d.endpoint_id, d.event_id, d.event_type, d.generation, d.occurred_at, d.created_at,
        o.number, o.response_status, o.position, o.source, o.source_id
    ), archived as (
      insert into webhooks.delivery_done (
        id, account_id, endpoint_id, event_id, event_type, generation, status, attempt_count, response_status,
        occurred_at, created_at, finished_at
      )
      select id, account_id, endpoint_id, event_id, event_type, generation, 'delivered', number, response_status,
        occurred_at, created_at, clock_timestamp()
      from finished
    ), accepted as (
      insert into webhooks.acceptance (delivery_id, account_id, workflow_id, event_id, event_type, accepted_at)
      select id, account_id, source_id, event_id, event_type, clock_timestamp()
      from finished where source = 'approval_workflow'
    ), counted as (
      update webhooks.outbox_shard s set pending = s.pending - f.n
      from (select account_id, count(*)::int as n from finished group by account_id) f
      join shard on shard.account_id = f.account_id
      where s.account_id = f.account_id and s.shard = shard.shard
    ), logged as (
      insert into webhooks.attempt (
        delivery_id, account_id, number, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
        response_status, remote_address
      )
      select f.id, f.account_id, o.number, o.started_at, o.duration_ms, o.dns_ms, o.connect_ms, o.tls_ms,
        o.first_byte_ms, o.response_status, o.remote_address
      from finished f join outcome o on o.position = f.position
    ), noted as (
      update webhooks.endpoint e set last_delivery_status = 'delivered', last_delivery_at = clock_timestamp(),
        last_response_status = l.response_status, last_error = null
      from (
        select distinct on (endpoint_id) endpoint_id, response_status from finished
        where endpoint_id in (select id from due) order by endpoint_id, position desc
      ) l
      where e.id = l.endpoint_id
    )
    select o.position::int as position, exists (select from taken t where t.position = o.position) as taken,
      null::uuid as refused
    from outcome o where not exists (select from finished f where f.position = o.position)
    union all
    select null, false, s.account_id from shard s join webhooks.outbox_counter c on c.account_id = s.account_id
    where s.bound = 0 or c.refused_at is not null
  `.execute(db);
  const missing = result.rows.filter((row) => row.position !== null);
  // Positions count from one.
  const positions = (taken: boolean): number[] =>
    missing.filter((row) => row.taken === taken).map((row) => (row.position ?? 0) - 1);
  return {
    left: positions(false),
    lost: positions(true),
    refused: result.rows.flatMap(({ refused }) => (refused === null ? [] : [refused])),
  };
}
