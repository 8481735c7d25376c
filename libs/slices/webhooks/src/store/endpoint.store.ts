import { sql, type Kysely, type Transaction } from 'kysely';
import { readCircuitState, type Endpoint } from '../rules/endpoint-view.ts';
import type { HeldShards } from '../rules/outbox-quotas.ts';
import type { CircuitState, EndpointSource, WebhooksDatabase } from '../schema.ts';
import { ensureShards, lockAllShards } from './shard.store.ts';

type Db = Kysely<WebhooksDatabase>;
type Trx = Transaction<WebhooksDatabase>;

interface EndpointRow {
  id: string;
  url: string;
  description: string;
  event_types: string[];
  active: boolean;
  source: EndpointSource;
  secret_hint: string | null;
  circuit_state: CircuitState;
  circuit_open_until: Date | null;
  consecutive_failures: number;
  refusal_reason: string | null;
  refused_at: Date | null;
  last_delivery_status: string | null;
  last_delivery_at: Date | null;
  last_response_status: number | null;
  last_error: string | null;
  created_at: Date;
  updated_at: Date;
  now: Date;
}

const columns = sql`
  e.id, e.url, e.description, e.event_types, e.active, e.source, e.circuit_state, e.circuit_open_until,
  e.consecutive_failures, e.refusal_reason, e.refused_at, e.last_delivery_status, e.last_delivery_at,
  e.last_response_status, e.last_error, e.created_at, e.updated_at, clock_timestamp() as now,
  (select s.hint from webhooks.endpoint_secret s where s.endpoint_id = e.id and s.expires_at is null) as secret_hint`;

function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    active: row.active,
    source: row.source,
    secretHint: row.secret_hint,
    circuitState: readCircuitState(row.circuit_state, row.circuit_open_until, row.now),
    circuitOpenUntil: row.circuit_open_until,
    consecutiveFailures: row.consecutive_failures,
    refusalReason: row.refusal_reason,
    refusedAt: row.refused_at,
    lastDeliveryStatus: row.last_delivery_status,
    lastDeliveryAt: row.last_delivery_at,
    lastResponseStatus: row.last_response_status,
    lastError: row.last_error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * Makes the account's counter exist and holds all of it: whatever changes the account's endpoints, or its outbox other than
 * by an event, starts here. Returns the shards for those that count.
 */
export async function lockAccount(trx: Trx, accountId: string): Promise<HeldShards> {
  await ensureShards(trx, accountId);
  const held = await lockAllShards(trx, accountId);
  await sql`insert into webhooks.outbox_counter (account_id) values (${accountId}) on conflict do nothing`.execute(trx);
  await sql`select from webhooks.outbox_counter where account_id = ${accountId} for no key update`.execute(trx);
  return held;
}

/** How many of the account's own endpoints exist. Exact under `lockAccount`. */
export async function countAccountEndpoints(trx: Trx, accountId: string): Promise<number> {
  const result = await sql<{ count: number }>`
    select count(*)::int as count from webhooks.endpoint
    where account_id = ${accountId} and source = 'account' and deleted_at is null
  `.execute(trx);
  return result.rows[0]?.count ?? 0;
}

export interface NewEndpoint {
  readonly id: string;
  readonly accountId: string;
  /** Undefined for an endpoint of the account itself. */
  readonly workflowId?: string | undefined;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
}

export async function insertEndpoint(trx: Trx, endpoint: NewEndpoint): Promise<void> {
  await trx
    .insertInto('webhooks.endpoint')
    .values({
      id: endpoint.id,
      account_id: endpoint.accountId,
      source: endpoint.workflowId === undefined ? 'account' : 'approval_workflow',
      source_id: endpoint.workflowId ?? null,
      url: endpoint.url,
      description: endpoint.description,
      event_types: [...endpoint.eventTypes],
    })
    .execute();
}

export async function findEndpoint(db: Db, accountId: string, id: string): Promise<Endpoint | undefined> {
  const result = await sql<EndpointRow>`
    select ${columns} from webhooks.endpoint e
    where e.account_id = ${accountId} and e.id = ${id} and e.deleted_at is null
  `.execute(db);
  const row = result.rows[0];
  return row === undefined ? undefined : toEndpoint(row);
}

/** Newest first; one row more than `limit` tells that there is another page. */
export async function listEndpoints(
  db: Db,
  query: { readonly accountId: string; readonly beforeId: string | undefined; readonly limit: number },
): Promise<Endpoint[]> {
  const before = query.beforeId === undefined ? sql`` : sql`and e.id < ${query.beforeId}`;
  const result = await sql<EndpointRow>`
    select ${columns} from webhooks.endpoint e
    where e.account_id = ${query.accountId} and e.deleted_at is null ${before}
    order by e.id desc limit ${query.limit + 1}
  `.execute(db);
  return result.rows.map(toEndpoint);
}

/** The endpoints of an approval workflow, oldest first. */
export async function listWorkflowEndpoints(
  db: Db,
  key: { readonly accountId: string; readonly workflowId: string },
): Promise<Endpoint[]> {
  const result = await sql<EndpointRow>`
    select ${columns} from webhooks.endpoint e
    where e.account_id = ${key.accountId} and e.source_id = ${key.workflowId} and e.source = 'approval_workflow'
      and e.deleted_at is null
    order by e.id
  `.execute(db);
  return result.rows.map(toEndpoint);
}

export interface EndpointPatch {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Applies a patch. A new URL, or switching on, gives the breaker a fresh start: closed at once, and `url_version` rises so
 * that outcomes of attempts already under way do not reach it.
 */
export async function updateEndpoint(trx: Trx, accountId: string, id: string, patch: EndpointPatch): Promise<void> {
  const url = patch.url ?? null;
  const active = patch.active ?? null;
  const fresh = sql`(${url}::text is distinct from null and ${url}::text <> url or coalesce(${active}::boolean, false))`;
  const own = sql`account_id = ${accountId} and id = ${id} and deleted_at is null`;
  // A statement of its own: the next one then sees the breaker as it is, and notes the move that really happens.
  await sql`select from webhooks.endpoint where ${own} for no key update`.execute(trx);
  await sql`
    with before as (
      select id, account_id, circuit_state from webhooks.endpoint where ${own} and circuit_state <> 'closed' and ${fresh}
    ), noted as (
      insert into webhooks.breaker_move (
        endpoint_id, account_id, moved_at, from_state, to_state, reason, consecutive_failures
      )
      select id, account_id, clock_timestamp(), circuit_state, 'closed', 'endpoint_changed', 0 from before
    )
    update webhooks.endpoint set
      url = coalesce(${url}::text, url),
      description = coalesce(${patch.description ?? null}::text, description),
      event_types = coalesce(${patch.eventTypes ?? null}::text[], event_types),
      active = coalesce(${active}::boolean, active),
      url_version = case when ${fresh} then url_version + 1 else url_version end,
      circuit_state = case when ${fresh} then 'closed' else circuit_state end,
      circuit_open_until = case when ${fresh} then null else circuit_open_until end,
      consecutive_failures = case when ${fresh} then 0 else consecutive_failures end,
      probe_token = case when ${fresh} then null else probe_token end,
      probe_until = case when ${fresh} then null else probe_until end,
      updated_at = now()
    where ${own}
  `.execute(trx);
}

/** Marks the endpoint deleted and cancels what was pending. Under `lockAccount`. Returns the number cancelled. */
export async function deleteEndpoint(trx: Trx, accountId: string, id: string): Promise<number> {
  await sql`
    update webhooks.endpoint set deleted_at = now(), updated_at = now(), active = false
    where account_id = ${accountId} and id = ${id} and deleted_at is null
  `.execute(trx);
  const result = await sql<{ cancelled: number }>`
    with cancelled as (
      delete from webhooks.delivery where endpoint_id = ${id} and account_id = ${accountId} returning *
    ), archived as (
      insert into webhooks.delivery_done (
        id, account_id, endpoint_id, event_id, event_type, generation, status, attempt_count, response_status,
        last_error, occurred_at, created_at, finished_at
      )
      select id, account_id, endpoint_id, event_id, event_type, generation, 'cancelled', attempt_count, response_status,
        last_error, occurred_at, created_at, clock_timestamp()
      from cancelled
    ), counted as (
      update webhooks.outbox_shard set pending = pending - (select count(*)::int from cancelled)
      where account_id = ${accountId} and shard = 0 and exists (select from cancelled)
    )
    select count(*)::int as cancelled from cancelled
  `.execute(trx);
  return result.rows[0]?.cancelled ?? 0;
}

export interface NewSecret {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly ciphertext: Buffer;
  readonly hint: string;
  /** How long the secret it replaces still signs too. */
  readonly overlapSeconds: number;
}

/** The sealed current secret. */
export async function findCurrentSecret(db: Db, endpointId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('webhooks.endpoint_secret')
    .select('ciphertext')
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', 'is', null)
    .executeTakeFirst();
  return row?.ciphertext;
}

/** Stores a new current secret. The one before signs until the overlap ends; any older one stops at once. */
export async function insertSecret(trx: Trx, secret: NewSecret): Promise<void> {
  await sql`
    delete from webhooks.endpoint_secret
    where endpoint_id = ${secret.endpointId} and (expires_at is not null or ${secret.overlapSeconds}::int = 0)
  `.execute(trx);
  await sql`
    update webhooks.endpoint_secret set expires_at = now() + make_interval(secs => ${secret.overlapSeconds})
    where endpoint_id = ${secret.endpointId}
  `.execute(trx);
  await sql`
    insert into webhooks.endpoint_secret (id, account_id, endpoint_id, ciphertext, hint)
    values (${secret.id}, ${secret.accountId}, ${secret.endpointId}, ${secret.ciphertext}, ${secret.hint})
  `.execute(trx);
}
