import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { takesDeliveries } from '../../breaker/store/takes-deliveries.store.ts';
import { isClaimable } from './claimed-rows.store.ts';

/*
 * Parked rows are not in the index that claims read; `waits_for` states what each row waits for. `waiting_since` of an
 * endpoint is set whenever rows wait for it. The row of the endpoint, which also states whether the endpoint accepts
 * deliveries, is locked while a delivery starts or stops waiting for it, and while `waiting_since` changes. All locks
 * are taken with `skip locked`, so no statement here waits; skipped rows are processed later.
 */

/** Maximum number of rows that one statement moves per endpoint. */
const ROWS_OF_ENDPOINT = 100;
/** Maximum number of rows that one statement unparks because their time has come. */
const ROWS_OF_TIME = 500;
const ENDPOINTS = 50;

/** Parks due rows of endpoints that currently accept no deliveries. Returns the number of parked rows. */
export async function parkDeliveries(db: AnyDatabase, endpointIds: readonly string[]): Promise<number> {
  const result = await sql<{ parked: number }>`
    with hindered as materialized (
      select e.id from webhooks.endpoint e
      where e.id = any (${endpointIds}::uuid[]) and not (${takesDeliveries})
      order by e.id for no key update skip locked
    ), found as materialized (
      select d.id, d.endpoint_id from hindered h cross join lateral (
        select d.id, d.endpoint_id from webhooks.delivery d
        where d.endpoint_id = h.id and d.waits_for is null and ${isClaimable}
        order by d.next_attempt_at limit ${ROWS_OF_ENDPOINT}
        for update skip locked
      ) d
    ), parked as (
      update webhooks.delivery d set waits_for = 'endpoint' from found f where d.id = f.id
    ), flagged as (
      update webhooks.endpoint e set waiting_since = now()
      where e.id in (select endpoint_id from found) and e.waiting_since is null
    )
    select count(*)::int as parked from found
  `.execute(db);
  return result.rows[0]?.parked ?? 0;
}

/**
 * Unparks rows whose time has come, and rows of endpoints that have started to accept deliveries again. Returns the
 * number of unparked rows.
 */
export async function wakeDeliveries(db: AnyDatabase): Promise<number> {
  const result = await sql<{ woken: number }>`
    with reopened as materialized (
      select e.id from webhooks.endpoint e where ${takesDeliveries} and e.waiting_since is not null
      order by e.waiting_since limit ${ENDPOINTS} for no key update skip locked
    ), freed as materialized (
      select d.id from reopened r cross join lateral (
        select d.id from webhooks.delivery d where d.endpoint_id = r.id and d.waits_for = 'endpoint'
        order by d.next_attempt_at limit ${ROWS_OF_ENDPOINT}
        for update skip locked
      ) d
    ), due as materialized (
      select d.id from webhooks.delivery d where d.waits_for = 'time' and d.next_attempt_at <= now()
      order by d.next_attempt_at limit ${ROWS_OF_TIME}
      for update skip locked
    ), woken as (
      update webhooks.delivery d set waits_for = null
      where d.id = any (array(select id from freed union all select id from due))
      returning d.id
    ), emptied as (
      update webhooks.endpoint e set waiting_since = null from reopened r
      where e.id = r.id and not exists (
        select from webhooks.delivery d
        where d.endpoint_id = r.id and d.waits_for = 'endpoint' and d.id not in (select id from freed)
      )
    )
    select count(*)::int as woken from woken
  `.execute(db);
  return result.rows[0]?.woken ?? 0;
}

/**
 * Sets `waiting_since` of endpoints that have waiting rows but no such time. Such endpoints exist only if rows have
 * been changed manually; without this time, their rows would never be unparked. Returns the number of changed
 * endpoints.
 */
export async function markForgotten(db: AnyDatabase): Promise<number> {
  const result = await sql<{ marked: number }>`
    with recursive walk as (
      (select d.endpoint_id from webhooks.delivery d where d.waits_for = 'endpoint' order by d.endpoint_id limit 1)
      union all
      select (
        select d.endpoint_id from webhooks.delivery d
        where d.waits_for = 'endpoint' and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1
      )
      from walk w where w.endpoint_id is not null
    ), forgotten as (
      select e.id from walk w join webhooks.endpoint e on e.id = w.endpoint_id
      where e.waiting_since is null for no key update of e skip locked
    ), marked as (
      update webhooks.endpoint e set waiting_since = now() from forgotten f where e.id = f.id returning e.id
    )
    select count(*)::int as marked from marked
  `.execute(db);
  return result.rows[0]?.marked ?? 0;
}
