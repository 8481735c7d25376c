import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { ENDPOINT_FAILING } from '../../outbox/rules/message-types.ts';
import type { DeliveryOutcome } from '../rules/outcome.ts';

/**
 * Counts the deliveries that were given up in this transaction, if the breaker of their endpoint is closed; an open
 * breaker is reported separately. Test events are not counted, since the person who sends them checks the result.
 * Notices about failures are not counted either, so that two broken channels do not report each other forever. Push
 * subscriptions and deleted endpoints are excluded.
 */
export async function countGivenUp(trx: AnyTransaction, dead: readonly DeliveryOutcome[]): Promise<void> {
  if (dead.length === 0) return;
  const ids = dead.map(({ deliveryId }) => deliveryId);
  const accountIds = [...new Set(dead.map(({ accountId }) => accountId))];
  await sql`
    insert into webhooks.given_up as g (endpoint_id, hour, account_id, deliveries, response_status, error)
    select d.endpoint_id, date_bin('1 hour', now(), 'epoch'), d.account_id, count(*), max(d.response_status),
      max(d.last_error)
    from webhooks.delivery_done d join webhooks.endpoint e on e.id = d.endpoint_id
    where d.account_id = any (${accountIds}::uuid[]) and d.id = any (${ids}::uuid[])
      and d.status = 'dead' and d.finished_at > now() - interval '1 hour'
      and d.event_type not in ('webhook.test', ${ENDPOINT_FAILING})
      and e.circuit_state = 'closed' and e.source <> 'push_subscription' and e.deleted_at is null
    group by d.endpoint_id, d.account_id order by d.endpoint_id
    on conflict (endpoint_id, hour) do update set deliveries = g.deliveries + excluded.deliveries,
      response_status = excluded.response_status, error = excluded.error
  `.execute(trx);
}

export interface GivenUp {
  readonly accountId: string;
  readonly endpointId: string;
  readonly hour: Date;
  readonly deliveries: number;
  readonly told: number;
  readonly source: string;
  readonly description: string;
  readonly origin: string | null;
  readonly consecutiveFailures: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
}

/**
 * Returns the counts that have to be reported: those that have never been reported, and those of past hours that have
 * grown since they were reported. Counts are excluded if the account had no other receiver of notices about failing
 * endpoints when the first of the deliveries was given up.
 */
export async function listGivenUp(db: AnyDatabase, hours: number): Promise<GivenUp[]> {
  const { rows } = await sql<GivenUp>`
    select g.account_id as "accountId", g.endpoint_id as "endpointId", g.hour, g.deliveries, g.told, e.source,
      e.description, e.origin, e.consecutive_failures as "consecutiveFailures", g.response_status as "responseStatus",
      g.error
    from webhooks.given_up g join webhooks.endpoint e on e.id = g.endpoint_id and e.deleted_at is null
    where g.hour > now() - make_interval(hours => ${hours}::int)
      and (g.told = 0 or (g.hour <= now() - interval '1 hour' and g.deliveries > g.told))
      and exists (
        select from webhooks.endpoint c
        where c.account_id = g.account_id and c.channel_kind is not null and c.deleted_at is null
          and ${ENDPOINT_FAILING} = any (c.event_types) and c.id <> g.endpoint_id and c.created_at < g.first_at
      )
    order by g.hour, g.endpoint_id
  `.execute(db);
  return rows;
}

/**
 * Stores the reported number. It must be called after the notice is stored, because the lock order requires that the
 * counters of the outbox be locked before the row of a count.
 */
export async function markTold(
  trx: AnyTransaction,
  { endpointId, hour, deliveries }: Pick<GivenUp, 'endpointId' | 'hour' | 'deliveries'>,
): Promise<void> {
  await sql`
    update webhooks.given_up set told = greatest(told, ${deliveries}::int)
    where endpoint_id = ${endpointId} and hour = ${hour}
  `.execute(trx);
}

export async function deleteOldGivenUp(db: AnyDatabase): Promise<void> {
  await sql`delete from webhooks.given_up where hour < now() - interval '1 day'`.execute(db);
}
