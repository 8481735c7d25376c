import type pg from 'pg';
import { buildEvents } from './bench-event.ts';

/** Adds deliveries that are due now, and counts them in the outbox. */
export function addDue(admin: pg.Pool, accountId: string, count: number): Promise<void> {
  return addEvents(
    admin,
    { accountId, count },
    `due as (
       insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, occurred_at)
       select $1, endpoint_id, event_id, 'session.ended', now() from aimed
       returning id
     )
     update webhooks.outbox_shard set pending = pending + (select count(*) from due) where account_id = $1 and shard = 0`,
  );
}

/**
 * Adds finished deliveries with their attempts, all of today, so that the indexes of a partition have their maximum
 * depth.
 */
export function addFinished(admin: pg.Pool, accountId: string, count: number): Promise<void> {
  return addEvents(
    admin,
    { accountId, count },
    `done as (
       insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status,
         attempt_count, response_status, occurred_at, created_at, finished_at)
       select webhooks.new_id(), $1, endpoint_id, event_id, 'session.ended', 1, 'delivered', 1, 200, now(), now(), now()
       from aimed
       returning id
     )
     insert into webhooks.attempt (delivery_id, account_id, number, started_at, duration_ms, response_status)
     select id, $1, 1, now(), 5, 200 from done`,
  );
}

/**
 * Adds events of the account with their deliveries: the statement reads from `aimed`, which assigns a random endpoint
 * to each event.
 */
async function addEvents(
  admin: pg.Pool,
  { accountId, count }: { readonly accountId: string; readonly count: number },
  statement: string,
): Promise<void> {
  if (count <= 0) return;
  const body = Buffer.from(buildEvents(1, [accountId])[0]?.body ?? '');
  await admin.query(
    `with target as (
       select array_agg(id) as ids from webhooks.endpoint where account_id = $1
     ), fact as (
       insert into webhooks.event (account_id, id, type, occurred_at, body)
       select $1, gen_random_uuid(), 'session.ended', now(), $2 from generate_series(1, $3::int)
       returning id
     ), aimed as (
       select id as event_id, ids[1 + floor(random() * cardinality(ids))::int] as endpoint_id from fact, target
     ), ${statement}`,
    [accountId, body, count],
  );
}
