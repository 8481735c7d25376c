import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import { selectNextSpan } from './next-span.store.ts';

/**
 * Endpoints that receive a message. `subscribers` includes the endpoints of the workflow; `endpoint` is exactly one
 * endpoint, regardless of its subscriptions.
 */
export type EventAudience =
  | { readonly kind: 'subscribers'; readonly workflowId?: string | undefined }
  | { readonly kind: 'endpoint'; readonly endpointId: string }
  /** Exactly one notice channel. The kind `endpoint` excludes notice channels, because they accept only notices. */
  | { readonly kind: 'channel'; readonly endpointId: string }
  /** Audience of a chat message: the chat webhooks of a workflow. */
  | { readonly kind: 'chat'; readonly workflowId: string }
  /** Notice channels and browsers that receive the type, except the channel that the message is about. */
  | { readonly kind: 'channels'; readonly exceptEndpointId: string };

/** Endpoints of an event, and the shard to which its deliveries are added. */
export interface PickedOutbox {
  readonly endpointIds: readonly string[];
  /** Number of endpoints that get a delivery; listeners get none, because they read the stored event. */
  readonly deliveries: number;
  /**
   * A locked shard below its quota; undefined if none could be locked without waiting, or if there are no deliveries.
   */
  readonly shard: number | undefined;
}

/** Names of the prepared statements. */
const STATEMENTS = {
  endpoint: 'webhooks.pick-outbox-of-one',
  channel: 'webhooks.pick-outbox-of-one-channel',
  chat: 'webhooks.pick-outbox-of-chat',
  channels: 'webhooks.pick-outbox-of-channels',
  subscribers: 'webhooks.pick-outbox',
} as const;

const subscribes = (eventType: string) => sql`e.event_types = '{}' or ${eventType} = any (e.event_types)`;

function matches(eventType: string, audience: EventAudience) {
  if (audience.kind === 'endpoint')
    return sql`e.id = ${audience.endpointId} and e.source not in ('notice_channel', 'push_subscription')`;
  if (audience.kind === 'channel') return sql`e.id = ${audience.endpointId} and e.source = 'notice_channel'`;
  if (audience.kind === 'chat') return sql`e.source = 'approval_chat' and e.source_id = ${audience.workflowId}::uuid`;
  if (audience.kind === 'channels')
    return sql`e.channel_kind is not null and ${eventType} = any (e.event_types) and e.id <> ${audience.exceptEndpointId}::uuid`;
  return sql`case e.source
        when 'account' then ${subscribes(eventType)}
        when 'listener' then ${subscribes(eventType)}
        when 'notice_channel' then ${eventType} = any (e.event_types)
        when 'push_subscription' then ${eventType} = any (e.event_types)
        when 'approval_workflow' then e.source_id = ${audience.workflowId ?? null}::uuid
        else false
      end`;
}

/**
 * Finds the endpoints of an event and locks a shard of the account's counter that is below its quota, in one statement
 * that waits for no lock. Returns undefined, and locks nothing, if the audience has no endpoint.
 */
export async function pickOutbox(
  trx: AnyTransaction,
  accountId: string,
  eventType: string,
  audience: EventAudience,
  maxPendingPerAccount: number,
): Promise<PickedOutbox | undefined> {
  const result = await executePrepared(
    trx,
    STATEMENTS[audience.kind],
    sql<{ endpoint_ids: string[]; deliveries: number; shard: number | null }>`
    select t.endpoint_ids, t.deliveries,
      case when t.deliveries > 0 then
        webhooks.pick_shard(${accountId}, t.deliveries, ${maxPendingPerAccount}, false)
      end as shard
    from (
      select array_agg(e.id order by e.id) as endpoint_ids,
        (count(*) filter (where e.source <> 'listener'))::int as deliveries
      from webhooks.endpoint e
      where e.account_id = ${accountId} and e.deleted_at is null and ${matches(eventType, audience)}
    ) t
    where t.endpoint_ids is not null
  `,
  );
  const row = result.rows[0];
  if (row === undefined) return undefined;
  return { endpointIds: row.endpoint_ids, deliveries: row.deliveries, shard: row.shard ?? undefined };
}

export interface NewEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly body: Buffer;
  readonly truncated: boolean;
  readonly traceparent: string;
}

/**
 * Stores the event, one delivery per endpoint and one row per listener, and counts the deliveries in `shard`, whose row
 * is locked; without `shard`, the caller must hold locks of shards and must count the deliveries, unless all endpoints
 * are listeners. Deleting an endpoint locks all shards, so no endpoint is deleted at the same time, and every delivery
 * is later either claimed or cancelled with its endpoint. Returns undefined if the event already exists (the statement
 * waits if the same fact is being emitted concurrently), or if none of the endpoints exists any longer.
 */
export async function insertEvent(
  trx: AnyTransaction,
  event: NewEvent,
  endpointIds: readonly string[],
  shard: number | undefined,
): Promise<string[] | undefined> {
  const result = await executePrepared(
    trx,
    'webhooks.insert-event',
    sql<{ delivery_ids: string[] }>`
    with target as (
      select id, source = 'listener' as listens from webhooks.endpoint
      where account_id = ${event.accountId}::uuid and id = any (${endpointIds}::uuid[]) and deleted_at is null
    ), new_event as (
      insert into webhooks.event (account_id, id, type, occurred_at, body, truncated, traceparent)
      select ${event.accountId}::uuid, ${event.id}::uuid, ${event.type}, ${event.occurredAt}::timestamptz,
        ${event.body}::bytea, ${event.truncated}::boolean, ${event.traceparent}
      where exists (select from target)
      on conflict (account_id, id) do nothing
      returning id
    ), new_delivery as (
      insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, occurred_at, traceparent)
      select ${event.accountId}::uuid, target.id, new_event.id, ${event.type}, ${event.occurredAt}::timestamptz,
        ${selectNextSpan(sql`${event.traceparent}`)}
      from new_event cross join target where not target.listens order by target.id
      returning id
    ), listened as (
      insert into webhooks.listener_event (listener_id, account_id, event_id)
      select target.id, ${event.accountId}::uuid, new_event.id from new_event cross join target where target.listens
    ), counted as (
      update webhooks.outbox_shard set pending = pending + (select count(*)::int from new_delivery)
      where account_id = ${event.accountId} and shard = ${shard ?? null}::smallint and exists (select from new_event)
    )
    select array(select id from new_delivery) as delivery_ids from new_event
  `,
  );
  return result.rows[0]?.delivery_ids;
}

export async function existsEvent(trx: AnyTransaction, accountId: string, id: string): Promise<boolean> {
  const row = await tables(trx)
    .selectFrom('webhooks.event')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Counts a refused event, and marks the account's endpoints at most once a minute: otherwise a producer that keeps
 * emitting into a full outbox would update the rows of all endpoints each time.
 */
export async function stampRefusal(trx: AnyTransaction, accountId: string): Promise<void> {
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
    where e.account_id = ${accountId} and e.id = locked.id
  `.execute(trx);
}

/** Removes the mark for refused events from the endpoints of accounts that are below their limit again. */
export async function clearRefusal(db: AnyDatabase, accountIds: readonly string[]): Promise<void> {
  await sql`
    with cleared as (
      update webhooks.outbox_counter set refused_at = null
      where account_id = any (${accountIds}::uuid[]) and refused_at is not null
      returning account_id
    )
    update webhooks.endpoint e set refusal_reason = null, refused_at = null
    from (
      select account_id, id from webhooks.endpoint
      where account_id in (select account_id from cleared) and deleted_at is null and refusal_reason is not null
      order by id for no key update
    ) locked
    where e.account_id = locked.account_id and e.id = locked.id
  `.execute(db);
}
