import { sql } from 'kysely';
import type { DeliveryOutcome } from '../rules/outcome.ts';
import type { SettleGate } from './settle.store.ts';

const isCalm = sql`e.circuit_state = 'closed' and e.consecutive_failures = 0`;
const isDue = sql`(
  e.last_delivery_at is null or e.last_delivery_at < clock_timestamp() - interval '1 second'
  or e.last_delivery_status <> 'delivered' or e.last_error is not null)`;

/**
 * Builds the gate of the fast path, which needs only one statement and one commit. The gate accepts the successes of
 * healthy endpoints (breaker closed, no failures counted): such a success changes only the last outcome in the
 * endpoint's row. If the last stored outcome was a success too, a new one is stored at most once a second, so that the
 * row is not rewritten for every batch.
 *
 * The fast path takes every lock with `skip locked`, so that it never waits and cannot be part of a deadlock; rows that
 * it cannot lock are processed by the slower path, which waits for locks. The fast path locks a shard of every account
 * whose rows it finishes, which prevents the deletion of their endpoints. With a batch of 50, it takes a third less
 * time than the six statements that wait for locks.
 */
export function buildCalmGate(outcomes: readonly DeliveryOutcome[]): SettleGate {
  const distinct = (read: (outcome: DeliveryOutcome) => string): string[] => [...new Set(outcomes.map(read))];
  return {
    taken: sql`
      calm as materialized (
        select e.id, ${isDue} as is_due from webhooks.endpoint e
        where e.id = any (${distinct((o) => o.endpointId)}::uuid[]) and ${isCalm}
      ), due as materialized (
        select e.id from webhooks.endpoint e
        where e.id in (select id from calm where is_due) and ${isCalm}
        for no key update skip locked
      ), shard as materialized (
        select a.account_id, s.shard, s.bound
        from unnest(${distinct((o) => o.accountId)}::uuid[]) a (account_id)
        cross join lateral (
          select shard, bound from webhooks.outbox_shard s where s.account_id = a.account_id
          order by random() limit 1 for no key update skip locked
        ) s
      ), taken as materialized (
        select o.*, s.shard from outcome o
        join calm c on c.id = o.endpoint_id and (not c.is_due or c.id in (select id from due))
        join shard s on s.account_id = o.account_id
      )`,
    noted: sql`
      noted as (
        update webhooks.endpoint e set last_delivery_status = 'delivered', last_delivery_at = clock_timestamp(),
          last_response_status = l.response_status, last_error = null
        from (
          select distinct on (endpoint_id) endpoint_id, response_status from finished
          where endpoint_id in (select id from due) order by endpoint_id, position desc
        ) l
        where e.id = l.endpoint_id
      )`,
    refused: sql`
      select s.account_id from shard s join webhooks.outbox_counter c on c.account_id = s.account_id
      where s.bound = 0 or c.refused_at is not null`,
  };
}
