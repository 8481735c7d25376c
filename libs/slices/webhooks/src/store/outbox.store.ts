import { sql, type Kysely, type Transaction } from 'kysely';
import type { WebhooksDatabase } from '../schema.ts';

/** Which endpoints an event goes to: those that subscribed and those of its workflow, or exactly one whatever it subscribed to. */
export type EventAudience =
  | { readonly kind: 'subscribers'; readonly workflowId?: string | undefined }
  | { readonly kind: 'endpoint'; readonly endpointId: string };

export interface LockedOutbox {
  readonly pending: number;
  readonly endpointIds: readonly string[];
  /** At least one of the account's endpoints carries a refusal stamp. */
  readonly refused: boolean;
}

/**
 * Finds the endpoints of an event and locks the account's counter, in one statement. Undefined when nobody listens; then
 * nothing is locked. The lock is held until the producer's transaction ends, which is what makes the bound exact and lets
 * concurrent duplicates of one event wait for each other.
 */
export async function lockOutbox(
  trx: Transaction<WebhooksDatabase>,
  accountId: string,
  eventType: string,
  audience: EventAudience,
): Promise<LockedOutbox | undefined> {
  const matches =
    audience.kind === 'endpoint'
      ? sql`e.id = ${audience.endpointId}`
      : sql`case e.source
          when 'account' then e.event_types = '{}' or ${eventType} = any (e.event_types)
          else e.source_id = ${audience.workflowId ?? null}::uuid
        end`;
  const result = await sql<{ pending: number; endpoint_ids: string[]; refused: boolean }>`
    select c.pending, t.endpoint_ids, c.refused_at is not null as refused
    from (
      select array_agg(e.id order by e.id) as endpoint_ids
      from webhooks.endpoint e
      where e.account_id = ${accountId} and e.deleted_at is null and ${matches}
    ) t
    join webhooks.outbox_counter c on c.account_id = ${accountId}
    where t.endpoint_ids is not null
    for no key update of c
  `.execute(trx);
  const row = result.rows[0];
  if (row === undefined) return undefined;
  return { pending: row.pending, endpointIds: row.endpoint_ids, refused: row.refused };
}

export interface NewEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly body: Buffer;
  readonly truncated: boolean;
}

/**
 * Stores the event and one delivery per endpoint and counts them. Runs under the lock of `lockOutbox`, as a statement of
 * its own: it sees what a transaction that held the lock before has committed. Empty when the event exists already.
 */
export async function insertEvent(
  trx: Transaction<WebhooksDatabase>,
  event: NewEvent,
  endpointIds: readonly string[],
): Promise<string[]> {
  const result = await sql<{ id: string }>`
    with new_event as (
      insert into webhooks.event (account_id, id, type, occurred_at, body, truncated)
      values (${event.accountId}, ${event.id}, ${event.type}, ${event.occurredAt}, ${event.body}, ${event.truncated})
      on conflict (account_id, id) do nothing
      returning id
    ), new_delivery as (
      insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, occurred_at)
      select ${event.accountId}::uuid, endpoint_id, new_event.id, ${event.type}, ${event.occurredAt}::timestamptz
      from new_event cross join unnest(${endpointIds}::uuid[]) endpoint_id
      returning id
    ), counted as (
      update webhooks.outbox_counter set pending = pending + (select count(*)::int from new_delivery)
      where account_id = ${event.accountId} and exists (select from new_event)
    )
    select id from new_delivery
  `.execute(trx);
  return result.rows.map((row) => row.id);
}

export async function existsEvent(trx: Transaction<WebhooksDatabase>, accountId: string, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('webhooks.event')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/*
 * Locks are taken in one order everywhere: counter, then endpoints by id, then deliveries. A producer's transaction must
 * never be the victim of a deadlock with the worker.
 */

/**
 * Counts a refused event and marks the account's endpoints, those at most once a minute: a producer that keeps emitting
 * into a full outbox must not rewrite twenty rows each time.
 */
export async function stampRefusal(trx: Transaction<WebhooksDatabase>, accountId: string): Promise<void> {
  await sql`
    with counted as (
      update webhooks.outbox_counter set
        refused_count = refused_count + 1,
        refused_at = case when refused_at > now() - interval '1 minute' then refused_at else now() end
      where account_id = ${accountId}
      returning account_id, refused_at
    ), due as (
      select account_id from counted where refused_at = now()::timestamptz(3)
    )
    update webhooks.endpoint e set refusal_reason = 'outbox_full', refused_at = now()
    from (
      select id from webhooks.endpoint
      where account_id = (select account_id from due) and deleted_at is null
      order by id for no key update
    ) locked
    where e.id = locked.id
  `.execute(trx);
}

/** Takes the refusal stamp off the endpoints of accounts that have room again. */
export async function clearRefusal(db: Kysely<WebhooksDatabase>, accountIds: readonly string[]): Promise<void> {
  await sql`
    with cleared as (
      update webhooks.outbox_counter set refused_at = null
      where account_id = any (${accountIds}::uuid[]) and refused_at is not null
      returning account_id
    )
    update webhooks.endpoint e set refusal_reason = null, refused_at = null
    from (
      select id from webhooks.endpoint
      where account_id in (select account_id from cleared) and deleted_at is null and refusal_reason is not null
      order by id for no key update
    ) locked
    where e.id = locked.id
  `.execute(db);
}
