import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { EndpointScope } from '../../endpoints/endpoint-scope.ts';
import { selectNextSpan } from '../../outbox/store/next-span.store.ts';

export interface ReplayedEvent {
  readonly type: string;
  readonly occurredAt: Date;
  /** Generation number of the rows that a replay would create. */
  readonly nextGeneration: number;
}

export interface Generation extends ReplayedEvent {
  /** Trace of the request for the replay. */
  readonly traceparent: string;
}

/**
 * Locks the event for a replay, so that two concurrent replays create two generations. Returns undefined if the event
 * is unknown, belongs to another account or was purged.
 */
export async function lockEvent(
  trx: AnyTransaction,
  accountId: string,
  eventId: string,
): Promise<ReplayedEvent | undefined> {
  const result = await sql<{ type: string; occurred_at: Date; generation: number }>`
    select type, occurred_at, generation from webhooks.event
    where account_id = ${accountId} and id = ${eventId} for no key update
  `.execute(trx);
  const row = result.rows[0];
  return row === undefined
    ? undefined
    : { type: row.type, occurredAt: row.occurred_at, nextGeneration: row.generation + 1 };
}

/** Returns the id of every endpoint with a delivery of the event, and whether the endpoint accepts a replay now. */
export async function listReceivers(
  trx: AnyTransaction,
  { accountId, group }: EndpointScope,
  eventId: string,
): Promise<{ endpointId: string; takesReplay: boolean }[]> {
  const result = await sql<{ id: string; takes_replay: boolean }>`
    select r.endpoint_id as id, coalesce(e.active and e.deleted_at is null, false) as takes_replay
    from (
      select endpoint_id from webhooks.delivery where account_id = ${accountId} and event_id = ${eventId}
      union
      select endpoint_id from webhooks.delivery_done where account_id = ${accountId} and event_id = ${eventId}
    ) r left join webhooks.endpoint e on e.id = r.endpoint_id
    where ${group ?? null}::text is null or e.group_name = ${group ?? null}::text
    order by r.endpoint_id
  `.execute(trx);
  return result.rows.map((row) => ({ endpointId: row.id, takesReplay: row.takes_replay }));
}

/**
 * Inserts pending rows with the next generation number; the original rows are not changed. The caller adds the new rows
 * to the counter.
 */
export async function insertGeneration(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly eventId: string },
  event: Generation,
  endpointIds: readonly string[],
): Promise<string[]> {
  const result = await sql<{ id: string }>`
    with raised as (
      update webhooks.event set generation = ${event.nextGeneration}
      where account_id = ${key.accountId} and id = ${key.eventId}
    ), replayed as (
      insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, generation, occurred_at, traceparent)
      select ${key.accountId}::uuid, endpoint_id, ${key.eventId}::uuid, ${event.type}, ${event.nextGeneration}::int,
        ${event.occurredAt}::timestamptz, ${selectNextSpan(sql`${event.traceparent}`)}
      from unnest(${endpointIds}::uuid[]) endpoint_id
      returning id
    )
    select id from replayed
  `.execute(trx);
  return result.rows.map((row) => row.id);
}
