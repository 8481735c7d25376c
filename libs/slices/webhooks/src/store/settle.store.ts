import { sql, type Transaction } from 'kysely';
import type { Breaker } from '../rules/breaker.ts';
import type { CircuitState, WebhooksDatabase } from '../schema.ts';

/** Where one attempt leaves its delivery. */
export type AttemptVerdict = 'delivered' | 'failed' | 'dead';

/** What happened on the wire; one row of the attempt log. Milliseconds; null where the attempt did not get that far. */
export interface AttemptRecord {
  /** 1-based. */
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly errorClass: string | null;
  readonly remoteAddress: string | null;
}

export interface DeliveryOutcome {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly claimToken: string;
  readonly urlVersion: number;
  /** The one attempt let through while the breaker was half open. */
  readonly isProbe: boolean;
  readonly verdict: AttemptVerdict;
  /** Wait until the next attempt; only for `failed`. */
  readonly retryDelayMs: number | undefined;
  readonly attempt: AttemptRecord;
}

export interface LockedEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly urlVersion: number;
  readonly breaker: Breaker;
}

/** The shard that outcomes are counted in when they have to wait for one. */
const WORKER_SHARD = 7;

/**
 * Locks a shard of the counters the outcomes will change. First in the order of locks. Returns the accounts that may carry
 * a refusal to clear.
 */
export async function lockCounters(
  trx: Transaction<WebhooksDatabase>,
  accountIds: readonly string[],
): Promise<string[]> {
  const result = await sql<{ account_id: string; bound: number; refused: boolean }>`
    select s.account_id, s.bound, c.refused_at is not null as refused
    from webhooks.outbox_shard s join webhooks.outbox_counter c on c.account_id = s.account_id
    where s.account_id = any (${accountIds}::uuid[]) and s.shard = ${WORKER_SHARD}
    order by s.account_id for no key update of s
  `.execute(trx);
  // A refusal closes the shards: seen in the locked row even when it was committed a moment ago.
  return result.rows.filter((row) => row.refused || row.bound === 0).map((row) => row.account_id);
}

/** Locks the endpoints in the order of their ids and reads their breakers, with the server's clock. */
export async function lockEndpoints(
  trx: Transaction<WebhooksDatabase>,
  endpointIds: readonly string[],
): Promise<{ now: Date; endpoints: LockedEndpoint[] }> {
  const result = await sql<{
    id: string;
    account_id: string;
    url_version: number;
    circuit_state: CircuitState;
    circuit_open_until: Date | null;
    consecutive_failures: number;
    probe_token: string | null;
    now: Date;
  }>`
    select id, account_id, url_version, circuit_state, circuit_open_until, consecutive_failures, probe_token, clock_timestamp() as now
    from webhooks.endpoint where id = any (${endpointIds}::uuid[]) order by id for no key update
  `.execute(trx);
  return {
    now: result.rows[0]?.now ?? new Date(0),
    endpoints: result.rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      urlVersion: row.url_version,
      breaker: {
        state: row.circuit_state,
        openUntil: row.circuit_open_until,
        consecutiveFailures: row.consecutive_failures,
        probeToken: row.probe_token,
      },
    })),
  };
}

/**
 * Writes the outcomes whose claim is still held: finished rows move to the history, the others get their next time, every
 * one gets its attempt row, the counters go down by what left the hot table. Returns the outcomes that were written; a worker
 * that lost its lease finds its own missing and has changed nothing. One delivery may be in the batch twice, under the
 * claim that was lost and under the one that followed it.
 */
export async function writeOutcomes(
  trx: Transaction<WebhooksDatabase>,
  outcomes: readonly DeliveryOutcome[],
): Promise<DeliveryOutcome[]> {
  const column = <T>(read: (outcome: DeliveryOutcome) => T): T[] => outcomes.map(read);
  const result = await sql<{ id: string; token: string }>`
    with outcome as (
      select * from unnest(
        ${column((o) => o.deliveryId)}::uuid[], ${column((o) => o.claimToken)}::uuid[], ${column((o) => o.verdict)}::text[],
        ${column((o) => o.retryDelayMs ?? null)}::int[], ${column((o) => o.attempt.number)}::smallint[],
        ${column((o) => o.attempt.startedAt)}::timestamptz[], ${column((o) => o.attempt.durationMs)}::int[],
        ${column((o) => o.attempt.dnsMs)}::int[], ${column((o) => o.attempt.connectMs)}::int[],
        ${column((o) => o.attempt.tlsMs)}::int[], ${column((o) => o.attempt.firstByteMs)}::int[],
        ${column((o) => o.attempt.responseStatus)}::int[], ${column((o) => o.attempt.error)}::text[],
        ${column((o) => o.attempt.errorClass)}::text[], ${column((o) => o.attempt.remoteAddress)}::text[],
        ${column((o) => o.isProbe)}::boolean[]
      ) as o (
        id, token, verdict, retry_ms, number, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
        response_status, error, error_class, remote_address, is_probe
      )
    ), retried as (
      update webhooks.delivery d
      set attempt_count = o.number, next_attempt_at = clock_timestamp() + o.retry_ms * interval '1 millisecond',
        claim_token = null, claim_until = null, response_status = o.response_status, last_error = o.error
      from outcome o
      where d.id = o.id and d.claim_token = o.token and o.verdict = 'failed'
      returning d.id, d.account_id, d.next_attempt_at, o.token
    ), finished as (
      delete from webhooks.delivery d using outcome o
      where d.id = o.id and d.claim_token = o.token and o.verdict in ('delivered', 'dead')
      returning d.id, d.account_id, d.endpoint_id, d.event_id, d.event_type, d.generation, o.verdict, o.number,
        o.response_status, o.error, d.occurred_at, d.created_at, o.token
    ), archived as (
      insert into webhooks.delivery_done (
        id, account_id, endpoint_id, event_id, event_type, generation, status, attempt_count, response_status,
        last_error, occurred_at, created_at, finished_at
      )
      select id, account_id, endpoint_id, event_id, event_type, generation, verdict, number, response_status,
        error, occurred_at, created_at, clock_timestamp()
      from finished
    ), accepted as (
      insert into webhooks.acceptance (delivery_id, account_id, workflow_id, event_id, event_type, accepted_at)
      select f.id, f.account_id, e.source_id, f.event_id, f.event_type, clock_timestamp()
      from finished f join webhooks.endpoint e on e.id = f.endpoint_id
      where f.verdict = 'delivered' and e.source = 'approval_workflow'
    ), counted as (
      update webhooks.outbox_shard s set pending = s.pending - f.n
      from (select account_id, count(*)::int as n from finished group by account_id) f
      where s.account_id = f.account_id and s.shard = ${WORKER_SHARD}
    ), settled as (
      select id, account_id, next_attempt_at, token from retried
      union all
      select id, account_id, null, token from finished
    ), logged as (
      insert into webhooks.attempt (
        delivery_id, account_id, number, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
        response_status, error, error_class, remote_address, next_attempt_at, is_probe
      )
      select s.id, s.account_id, o.number, o.started_at, o.duration_ms, o.dns_ms, o.connect_ms, o.tls_ms, o.first_byte_ms,
        o.response_status, o.error, o.error_class, o.remote_address, s.next_attempt_at, o.is_probe
      from settled s join outcome o on o.id = s.id and o.token = s.token
    )
    select id, token from settled
  `.execute(trx);
  const written = new Map(result.rows.map((row) => [row.id, row.token]));
  return outcomes.filter((outcome) => written.get(outcome.deliveryId) === outcome.claimToken);
}

export interface EndpointChange {
  readonly id: string;
  /** Undefined leaves the breaker as it is. */
  readonly breaker: Breaker | undefined;
  readonly last: DeliveryOutcome;
}

/** Writes breakers and the last outcome of the locked endpoints. */
export async function updateEndpoints(
  trx: Transaction<WebhooksDatabase>,
  changes: readonly EndpointChange[],
  now: Date,
): Promise<void> {
  const column = <T>(read: (change: EndpointChange) => T): T[] => changes.map(read);
  await sql`
    update webhooks.endpoint e set
      circuit_state = coalesce(u.state, e.circuit_state),
      circuit_open_until = case when u.state is null then e.circuit_open_until else u.open_until end,
      consecutive_failures = coalesce(u.failures, e.consecutive_failures),
      probe_token = case when u.state is null then e.probe_token else u.probe_token end,
      probe_until = case when u.state is null or u.state = 'half_open' then e.probe_until end,
      last_delivery_status = u.last_status, last_delivery_at = ${now}::timestamptz,
      last_response_status = u.last_response, last_error = u.last_error
    from unnest(
      ${column((c) => c.id)}::uuid[], ${column((c) => c.breaker?.state ?? null)}::text[],
      ${column((c) => c.breaker?.openUntil ?? null)}::timestamptz[],
      ${column((c) => c.breaker?.consecutiveFailures ?? null)}::int[],
      ${column((c) => c.breaker?.probeToken ?? null)}::uuid[], ${column((c) => c.last.verdict)}::text[],
      ${column((c) => c.last.attempt.responseStatus)}::int[], ${column((c) => c.last.attempt.error)}::text[]
    ) as u (id, state, open_until, failures, probe_token, last_status, last_response, last_error)
    where e.id = u.id
  `.execute(trx);
}
