import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, TimeBounds } from '@steward/database';
import type { EndpointScope } from '../../endpoints/endpoint-scope.ts';
import { tables, type DeliveryStatus } from '../../schema.ts';
import { MAIL_MESSAGE } from '../../outbox/rules/message-types.ts';
import type { AttemptRecord } from '../../deliveries/rules/outcome.ts';

/** The delivery of one event to one endpoint, pending or finished. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly endpointId: string;
  readonly generation: number;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  readonly occurredAt: Date;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  /** Time when the delivery succeeded, failed permanently or was cancelled; null before that. */
  readonly finishedAt: Date | null;
  readonly responseStatus: number | null;
  readonly lastError: string | null;
}

/** Filter of deliveries; the time bounds apply to the creation time. */
export interface DeliveryFilter extends TimeBounds, EndpointScope {
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly eventType?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
}

interface DeliveryRow {
  id: string;
  event_id: string;
  event_type: string;
  endpoint_id: string;
  generation: number;
  status: DeliveryStatus;
  attempt_count: number;
  next_attempt_at: Date | null;
  occurred_at: Date;
  created_at: Date;
  finished_at: Date | null;
  response_status: number | null;
  last_error: string | null;
}

const shared = sql`
  id, event_id, event_type, endpoint_id, generation, attempt_count, occurred_at, created_at, response_status, last_error`;
const pendingColumns = sql`${shared}, 'pending' as status, next_attempt_at, null::timestamptz as finished_at`;
const doneColumns = sql`${shared}, status, null::timestamptz as next_attempt_at, finished_at`;

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    endpointId: row.endpoint_id,
    generation: row.generation,
    status: row.status,
    attemptCount: row.attempt_count,
    nextAttemptAt: row.next_attempt_at,
    occurredAt: row.occurred_at,
    createdAt: row.created_at,
    deliveredAt: row.status === 'delivered' ? row.finished_at : null,
    finishedAt: row.finished_at,
    responseStatus: row.response_status,
    lastError: row.last_error,
  };
}

/**
 * Tolerance in milliseconds between the time in an id and `created_at`, which are not determined at the same moment.
 */
const ID_SLACK_MS = 1000;

/**
 * Returns an id that is smaller than every UUID v7 of the given millisecond; with this id as a bound, a time filter can
 * use the index of the list.
 */
export function smallestId(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

function buildConditions(filter: DeliveryFilter, beforeId: string | undefined): RawBuilder<unknown> {
  const conditions = ofScope(filter);
  if (filter.endpointId !== undefined) conditions.push(sql`endpoint_id = ${filter.endpointId}`);
  if (filter.eventId !== undefined) conditions.push(sql`event_id = ${filter.eventId}`);
  if (filter.eventType !== undefined) conditions.push(sql`event_type = ${filter.eventType}`);
  if (filter.since !== undefined) {
    const from = smallestId(filter.since.getTime() - ID_SLACK_MS);
    conditions.push(sql`created_at >= ${filter.since}`, sql`id >= ${from}`);
  }
  if (filter.until !== undefined) {
    const to = smallestId(filter.until.getTime() + ID_SLACK_MS);
    conditions.push(sql`created_at < ${filter.until}`, sql`id < ${to}`);
  }
  if (beforeId !== undefined) conditions.push(sql`id < ${beforeId}`);
  return sql.join(conditions, sql` and `);
}

/** Returns the conditions for deliveries to the endpoints of a scope, including deleted endpoints of a group. */
function ofScope({ accountId, group }: EndpointScope): RawBuilder<unknown>[] {
  const own = sql`account_id = ${accountId}`;
  if (group === undefined) return [own];
  const endpoints = sql`select e.id from webhooks.endpoint e where e.account_id = ${accountId} and e.group_name = ${group}`;
  return [own, sql`endpoint_id in (${endpoints})`];
}

/** Lists deliveries of both tables, newest first; one row more than `limit` shows that there is another page. */
export async function listDeliveries(
  db: AnyDatabase,
  filter: DeliveryFilter,
  page: { readonly beforeId: string | undefined; readonly limit: number },
): Promise<Delivery[]> {
  const where = buildConditions(filter, page.beforeId);
  const limit = page.limit + 1;
  const { status } = filter;
  const pending = sql`(select ${pendingColumns} from webhooks.delivery where ${where} order by id desc limit ${limit})`;
  // The status is a literal instead of a parameter, so that the dead-letter list can use its partial index.
  const ofStatus = status === undefined ? sql`` : sql`and status = ${sql.lit(status)}`;
  const done = sql`(select ${doneColumns} from webhooks.delivery_done where ${where} ${ofStatus} order by id desc limit ${limit})`;
  const source = status === 'pending' ? pending : status === undefined ? sql`${pending} union all ${done}` : done;
  const result = await sql<DeliveryRow>`
    select * from (${source}) d order by id desc limit ${limit}
  `.execute(db);
  return result.rows.map(toDelivery);
}

export async function findDelivery(db: AnyDatabase, scope: EndpointScope, id: string): Promise<Delivery | undefined> {
  const where = sql.join([sql`id = ${id}`, ...ofScope(scope)], sql` and `);
  const result = await sql<DeliveryRow>`
    select ${pendingColumns} from webhooks.delivery where ${where}
    union all
    select ${doneColumns} from webhooks.delivery_done where ${where}
  `.execute(db);
  const row = result.rows[0];
  return row === undefined ? undefined : toDelivery(row);
}

/** Data of a delivery's requests that is not in its attempts. */
export interface RequestFacts {
  readonly bodyBytes: number;
  readonly traceparent: string | null;
}

/**
 * Returns the data of a delivery's requests; undefined if the event was purged, and for emails and notices, which are
 * not sent as the stored event.
 */
export async function findRequestFacts(
  db: AnyDatabase,
  accountId: string,
  { id, eventId, endpointId }: Pick<Delivery, 'id' | 'eventId' | 'endpointId'>,
): Promise<RequestFacts | undefined> {
  const result = await sql<RequestFacts>`
    select octet_length(e.body) as "bodyBytes", (
      select traceparent from webhooks.delivery where id = ${id}
      union all
      select traceparent from webhooks.delivery_done where id = ${id} and account_id = ${accountId}
    ) as traceparent
    from webhooks.event e where e.account_id = ${accountId} and e.id = ${eventId} and e.type <> ${MAIL_MESSAGE}
      and not exists (select from webhooks.endpoint c where c.id = ${endpointId} and c.channel_kind is not null)
  `.execute(db);
  return result.rows[0];
}

/** An attempt in the form shown in the log. */
export interface LoggedAttempt extends AttemptRecord {
  /** Scheduled time of the next attempt; null if no attempt follows. */
  readonly nextAttemptAt: Date | null;
  readonly isProbe: boolean;
}

export async function listAttempts(db: AnyDatabase, accountId: string, deliveryId: string): Promise<LoggedAttempt[]> {
  const rows = await tables(db)
    .selectFrom('webhooks.attempt')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .where('account_id', '=', accountId)
    .orderBy('number')
    .orderBy('started_at')
    .execute();
  return rows.map((row) => ({
    number: row.number,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    dnsMs: row.dns_ms,
    connectMs: row.connect_ms,
    tlsMs: row.tls_ms,
    firstByteMs: row.first_byte_ms,
    responseStatus: row.response_status,
    error: row.error,
    errorClass: row.error_class,
    remoteAddress: row.remote_address,
    answer: row.answer,
    nextAttemptAt: row.next_attempt_at,
    isProbe: row.is_probe,
  }));
}
