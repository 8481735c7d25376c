import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { ClaimInput } from '../../deliveries/store/claim.store.ts';
import {
  claimedColumns,
  isClaimable,
  toClaimed,
  type ClaimedDelivery,
  type ClaimedRow,
} from '../../deliveries/store/claimed-rows.store.ts';

/**
 * Claims one delivery for each endpoint whose breaker has cooled down. Only one worker can claim a probe, since the
 * endpoint's row is locked while the probe is stored in this row. A probe without an outcome can be claimed again when
 * its lease has ended. Only endpoints that are marked as having waiting rows are checked; the mark is removed if there
 * are no such rows.
 */
export async function claimProbes(
  db: AnyDatabase,
  input: Pick<ClaimInput, 'token' | 'leaseSeconds' | 'limit'>,
): Promise<ClaimedDelivery[]> {
  const result = await sql<ClaimedRow>`
    with cooled as materialized (
      select e.id, e.account_id, e.circuit_state, e.consecutive_failures from webhooks.endpoint e
      where e.circuit_state <> 'closed' and e.active and e.deleted_at is null and e.waiting_since is not null
        and e.circuit_open_until <= now()
        and (e.circuit_state = 'open' or e.probe_until is null or e.probe_until <= clock_timestamp())
      order by e.circuit_open_until limit ${input.limit}::int
      for no key update skip locked
    ), picked as materialized (
      select due.id, due.endpoint_id
      from cooled cross join lateral (
        select d.id, d.endpoint_id from webhooks.delivery d
        where d.endpoint_id = cooled.id and d.waits_for = 'endpoint' and ${isClaimable}
        order by d.next_attempt_at limit 1
        for update skip locked
      ) due
    ), marked as (
      update webhooks.endpoint e
      set circuit_state = 'half_open', probe_token = ${input.token},
        probe_until = clock_timestamp() + make_interval(secs => ${input.leaseSeconds})
      from picked where e.id = picked.endpoint_id
    ), emptied as (
      update webhooks.endpoint e set waiting_since = null from cooled c
      where e.id = c.id
        and not exists (select from webhooks.delivery d where d.endpoint_id = c.id and d.waits_for = 'endpoint')
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
  return toClaimed(result.rows, { claimToken: input.token, isProbe: true });
}
