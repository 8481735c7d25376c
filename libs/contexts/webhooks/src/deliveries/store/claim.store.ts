import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { takesDeliveries } from '../../breaker/store/takes-deliveries.store.ts';
import { claimedColumns, isClaimable, toClaimed, type ClaimedDelivery, type ClaimedRow } from './claimed-rows.store.ts';

export interface ClaimInput {
  /** Token of the claim, by which outcomes of a lost claim are recognized; a new one for every call. */
  readonly token: string;
  readonly leaseSeconds: number;
  readonly limit: number;
  /** Maximum number of rows per endpoint in this call, for endpoints that `allowances` does not contain. */
  readonly defaultAllowance: number;
  /**
   * Maximum number of further rows by endpoint id, for endpoints about which this worker has more information; 0 means
   * no rows.
   */
  readonly allowances: ReadonlyMap<string, number>;
  /**
   * Id of the endpoint after which this claim continues, as returned by the previous claim; undefined to start from the
   * beginning.
   */
  readonly afterEndpointId?: string | undefined;
}

export interface WalkedClaim {
  readonly claims: ClaimedDelivery[];
  /**
   * Id of the endpoint after which the next claim continues, if there may be more endpoints with rows than one claim
   * checks.
   */
  readonly nextAfterEndpointId: string | undefined;
  /** Ids of the checked endpoints that currently accept no deliveries; their rows should be parked. */
  readonly hinderedEndpointIds: readonly string[];
  /** Whether there are parked rows that could be sent now. */
  readonly hasWakeable: boolean;
}

/**
 * Maximum number of endpoints that one claim checks. It limits the cost of a claim, and is several times the number of
 * endpoints from which a claim of the default size can take rows.
 */
const WALK_LENGTH = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * SQL condition that is true if there are parked rows that could be sent now. Both parts read the first entry of an
 * index, in index order; an `exists` could become a table scan if the planner expects many rows.
 */
const hasWakeable = sql`(
  coalesce((
    select d.next_attempt_at <= now() from webhooks.delivery d where d.waits_for = 'time'
    order by d.next_attempt_at limit 1
  ), false)
  or (
    select e.waiting_since from webhooks.endpoint e where ${takesDeliveries} and e.waiting_since is not null
    order by e.waiting_since limit 1
  ) is not null)`;

type WalkRow = { last_id: string | null; hindered: string[] | null; wakeable: boolean };

/**
 * Claims due deliveries of the checked endpoints, at most a few per endpoint; the deliveries that have been due longest
 * come first. Endpoints that are inactive or deleted, or whose breaker is not closed, are excluded, so their rows are
 * never read or locked. Endpoints with rows are found by a skip scan over the first column of the `delivery_due` index
 * (one probe per endpoint) without reading the rows themselves, so that 10,000 rows of one endpoint cost as much as one
 * row. The index contains no rows that wait for a time or for their endpoint.
 *
 * Rows are locked for each endpoint before the oldest of all these rows are selected. Therefore each endpoint is
 * limited not only to its allowance but also to twice its even share of the claim: without this limit, nine rows were
 * locked for each one selected when eight endpoints had many rows.
 */
export async function claimDue(db: AnyDatabase, input: ClaimInput): Promise<WalkedClaim> {
  const known = [...input.allowances];
  const result = await sql<WalkRow & (ClaimedRow | { id: null })>`
    with recursive walk as (
      (
        select d.endpoint_id, 1 as nth from webhooks.delivery d
        where d.waits_for is null and d.endpoint_id > ${input.afterEndpointId ?? FIRST_ID}::uuid
        order by d.endpoint_id limit 1
      )
      union all
      select (
        select d.endpoint_id from webhooks.delivery d where d.waits_for is null and d.endpoint_id > w.endpoint_id
        order by d.endpoint_id limit 1
      ), w.nth + 1
      from walk w where w.endpoint_id is not null and w.nth < ${WALK_LENGTH}
    ), met as materialized (
      select e.id, ${takesDeliveries} as takes, coalesce(a.allowance, ${input.defaultAllowance}::int) as allowance
      from walk w join webhooks.endpoint e on e.id = w.endpoint_id
      left join unnest(${known.map(([id]) => id)}::uuid[], ${known.map(([, n]) => n)}::int[]) a (id, allowance)
        on a.id = e.id
    ), ready as (
      select id, least(allowance, greatest(2, ceil(2.0 * ${input.limit}::int / count(*) over ())))::int as allowance
      from met where takes and allowance > 0
    ), picked as (
      select due.id, r.allowance
      from ready r cross join lateral (
        select d.id, d.next_attempt_at from webhooks.delivery d
        where d.endpoint_id = r.id and d.waits_for is null and ${isClaimable}
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
    select seen.*, c.* from (
      select (select endpoint_id from walk where nth = ${WALK_LENGTH}) as last_id,
        (select array_agg(id) from met where not takes) as hindered,
        ${hasWakeable} as wakeable
    ) seen left join (${claimedColumns}) c on true
  `.execute(db);
  const [first] = result.rows;
  const rows = result.rows.filter((row): row is WalkRow & ClaimedRow => row.id !== null);
  return {
    claims: toClaimed(rows, { claimToken: input.token, isProbe: false }),
    nextAfterEndpointId: first?.last_id ?? undefined,
    hinderedEndpointIds: first?.hindered ?? [],
    hasWakeable: first?.wakeable ?? false,
  };
}
