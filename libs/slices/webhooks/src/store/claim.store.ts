import { sql, type Kysely } from 'kysely';
import type { WebhooksDatabase } from '../schema.ts';

/** A delivery this worker may post until its lease ends, with everything the POST needs. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly generation: number;
  /** Attempts made before this one. */
  readonly attemptCount: number;
  readonly createdAt: Date;
  readonly claimToken: string;
  readonly url: string;
  readonly urlVersion: number;
  /** The stored bytes; null when the event is missing, which is our own fault and burns no attempt. */
  readonly body: Buffer | null;
  /** Sealed secrets, newest first. */
  readonly sealedSecrets: readonly Buffer[];
  readonly isProbe: boolean;
  /** How many rows its endpoint could have got in the claim: as many as it got means that it may have more. */
  readonly endpointAllowance: number;
}

export interface ClaimInput {
  /** Fences the outcomes: fresh for every call. */
  readonly token: string;
  readonly leaseSeconds: number;
  readonly limit: number;
  /** Rows one endpoint may get in this call when `allowances` does not name it. */
  readonly defaultAllowance: number;
  /** Endpoints this worker knows more about: how many more rows each may get now (0 = none). */
  readonly allowances: ReadonlyMap<string, number>;
}

interface ClaimedRow {
  id: string;
  account_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  generation: number;
  attempt_count: number;
  created_ms: number;
  allowance: number;
  url: string;
  url_version: number;
  /** Null also on all rows of an event but one. */
  body: Buffer | null;
  /** Null also on all rows of an endpoint but one. */
  secrets: Buffer[] | null;
}

/** Due and not leased. A claim whose lease ended is due again, whoever held it. */
const isClaimable = sql`
  d.next_attempt_at <= clock_timestamp() and (d.claim_until is null or d.claim_until <= clock_timestamp())`;

/**
 * What a claim returns; `claimed` holds the updated delivery rows. The secrets of an endpoint and the body of an event come
 * once however many rows share them: reading a list of secrets was 8 us of the 120 a delivery costs.
 */
const claimedColumns = sql`
  select c.id, c.account_id, c.endpoint_id, c.event_id, c.event_type, c.generation, c.attempt_count, c.allowance,
    extract(epoch from c.created_at)::float8 * 1000 as created_ms, e.url, e.url_version,
    case when c.nth_of_event = 1 then
      (select v.body from webhooks.event v where v.account_id = c.account_id and v.id = c.event_id)
    end as body,
    case when c.nth_of_endpoint = 1 then
      (select array_agg(s.ciphertext order by s.active_from desc, s.id desc) from webhooks.endpoint_secret s
        where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > clock_timestamp()))
    end as secrets
  from (
    select *, row_number() over (partition by endpoint_id) as nth_of_endpoint,
      row_number() over (partition by account_id, event_id) as nth_of_event
    from claimed
  ) c
  join webhooks.endpoint e on e.id = c.endpoint_id`;

/**
 * Claims due deliveries, at most a few per endpoint, oldest due first. Endpoints that are inactive, deleted or whose
 * breaker is not closed are left out here, so their rows are never touched. Endpoints with rows are found by walking the
 * first column of the `delivery_due` index (one probe per endpoint), never by reading the rows themselves: 10,000 rows
 * waiting for one endpoint cost as much as one.
 *
 * Rows are locked per endpoint before the oldest of all are taken, so each endpoint is held to twice its even share of the
 * claim besides its allowance: eight endpoints with plenty of rows had nine rows locked for each one taken.
 */
export async function claimDue(db: Kysely<WebhooksDatabase>, input: ClaimInput): Promise<ClaimedDelivery[]> {
  const known = [...input.allowances];
  const result = await sql<ClaimedRow>`
    with recursive walk as (
      (select d.endpoint_id from webhooks.delivery d order by d.endpoint_id limit 1)
      union all
      select (
        select d.endpoint_id from webhooks.delivery d where d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1
      )
      from walk w where w.endpoint_id is not null
    ), ready as (
      select e.id, least(
          coalesce(a.allowance, ${input.defaultAllowance}::int),
          greatest(2, ceil(2.0 * ${input.limit}::int / count(*) over ()))
        )::int as allowance
      from walk w
      join webhooks.endpoint e on e.id = w.endpoint_id
      left join unnest(${known.map(([id]) => id)}::uuid[], ${known.map(([, n]) => n)}::int[]) a (id, allowance)
        on a.id = e.id
      where e.active and e.deleted_at is null and e.circuit_state = 'closed' and coalesce(a.allowance, 1) > 0
    ), picked as (
      select due.id, r.allowance
      from ready r cross join lateral (
        select d.id, d.next_attempt_at from webhooks.delivery d
        where d.endpoint_id = r.id and ${isClaimable}
        order by d.next_attempt_at limit r.allowance
        for update skip locked
      ) due
      order by due.next_attempt_at limit ${input.limit}::int
    ), claimed as (
      update webhooks.delivery d
      set claim_token = ${input.token}, claim_until = clock_timestamp() + make_interval(secs => ${input.leaseSeconds})
      from picked where d.id = picked.id
      returning d.*, picked.allowance
    )
    ${claimedColumns}
  `.execute(db);
  return toClaimed(result.rows, input.token, false);
}

/**
 * Claims the one delivery each endpoint with a cooled-down breaker lets through, over all workers: the endpoint's row
 * decides, and it is locked while it is marked. A probe that was never settled is given out again after its lease.
 */
export async function claimProbes(
  db: Kysely<WebhooksDatabase>,
  input: Pick<ClaimInput, 'token' | 'leaseSeconds' | 'limit'>,
): Promise<ClaimedDelivery[]> {
  const result = await sql<ClaimedRow>`
    with cooled as (
      select e.id, e.account_id, e.circuit_state, e.consecutive_failures from webhooks.endpoint e
      where e.circuit_state <> 'closed' and e.active and e.deleted_at is null
        and case e.circuit_state
          when 'open' then e.circuit_open_until <= clock_timestamp()
          else e.probe_until is null or e.probe_until <= clock_timestamp()
        end
        and exists (select from webhooks.delivery d where d.endpoint_id = e.id and ${isClaimable})
      order by e.circuit_open_until limit ${input.limit}::int
      for no key update skip locked
    ), picked as (
      select due.id, due.endpoint_id
      from cooled cross join lateral (
        select d.id, d.endpoint_id from webhooks.delivery d
        where d.endpoint_id = cooled.id and ${isClaimable}
        order by d.next_attempt_at limit 1
        for update skip locked
      ) due
    ), marked as (
      update webhooks.endpoint e
      set circuit_state = 'half_open', probe_token = ${input.token},
        probe_until = clock_timestamp() + make_interval(secs => ${input.leaseSeconds})
      from picked where e.id = picked.endpoint_id
    ), noted as (
      insert into webhooks.breaker_move (
        endpoint_id, account_id, moved_at, from_state, to_state, reason, consecutive_failures
      )
      select c.id, c.account_id, clock_timestamp(), 'open', 'half_open', 'cooldown_over', c.consecutive_failures
      from cooled c join picked p on p.endpoint_id = c.id where c.circuit_state = 'open'
    ), claimed as (
      update webhooks.delivery d
      set claim_token = ${input.token}, claim_until = clock_timestamp() + make_interval(secs => ${input.leaseSeconds})
      from picked where d.id = picked.id
      returning d.*, 1 as allowance
    )
    ${claimedColumns}
  `.execute(db);
  return toClaimed(result.rows, input.token, true);
}

/**
 * Gives claims back without an outcome: no attempt is burnt. `delaySeconds` puts the rows off, for faults of our own that
 * would only repeat. A probe given back is free for the next worker.
 */
export async function releaseClaims(
  db: Kysely<WebhooksDatabase>,
  claims: readonly Pick<ClaimedDelivery, 'id' | 'claimToken'>[],
  delaySeconds = 0,
): Promise<number> {
  const result = await sql<{ released: number }>`
    with given_back as (
      update webhooks.delivery d
      set claim_token = null, claim_until = null,
        next_attempt_at = greatest(d.next_attempt_at, clock_timestamp() + make_interval(secs => ${delaySeconds}))
      from unnest(${claims.map((claim) => claim.id)}::uuid[], ${claims.map((claim) => claim.claimToken)}::uuid[]) c (id, token)
      where d.id = c.id and d.claim_token = c.token
      returning d.endpoint_id, c.token
    ), probe_freed as (
      update webhooks.endpoint e set probe_token = null, probe_until = null
      from given_back g where e.id = g.endpoint_id and e.probe_token = g.token
    )
    select count(*)::int as released from given_back
  `.execute(db);
  return result.rows[0]?.released ?? 0;
}

function toClaimed(rows: readonly ClaimedRow[], claimToken: string, isProbe: boolean): ClaimedDelivery[] {
  const secrets = new Map<string, readonly Buffer[]>();
  const bodies = new Map<string, Buffer>();
  const nameEvent = (row: ClaimedRow): string => `${row.account_id} ${row.event_id}`;
  for (const row of rows) {
    if (row.secrets !== null) secrets.set(row.endpoint_id, row.secrets);
    if (row.body !== null) bodies.set(nameEvent(row), row.body);
  }
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    generation: row.generation,
    attemptCount: row.attempt_count,
    createdAt: new Date(row.created_ms),
    claimToken,
    url: row.url,
    urlVersion: row.url_version,
    body: bodies.get(nameEvent(row)) ?? null,
    sealedSecrets: secrets.get(row.endpoint_id) ?? [],
    isProbe,
    endpointAllowance: row.allowance,
  }));
}
