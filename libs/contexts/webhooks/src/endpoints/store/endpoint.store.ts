import { sql } from 'kysely';
import type { SealedAddress } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction, IdPage } from '@steward/database';
import type { EndpointScope } from '../endpoint-scope.ts';
import { readCircuitState, type Endpoint } from '../rules/endpoint-view.ts';
import { tables, type CircuitState, type EndpointSource, type WorkflowSource } from '../../schema.ts';

export interface EndpointRow {
  id: string;
  url: string | null;
  url_sealed: Buffer | null;
  origin: string | null;
  description: string;
  group_name: string | null;
  event_types: string[];
  active: boolean;
  keeps_answers: boolean;
  source: EndpointSource | WorkflowSource | 'notice_channel';
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

export const endpointColumns = sql`
  e.id, e.url, e.url_sealed, e.origin, e.description, e.group_name, e.event_types, e.active, e.keeps_answers, e.source, e.circuit_state, e.circuit_open_until,
  e.consecutive_failures, e.refusal_reason, e.refused_at, e.last_delivery_status, e.last_delivery_at,
  e.last_response_status, e.last_error, e.created_at, e.updated_at, clock_timestamp() as now,
  (select s.hint from webhooks.endpoint_secret s
    where s.account_id = e.account_id and s.endpoint_id = e.id and s.expires_at is null) as secret_hint`;

/** Condition that excludes the account's mail endpoint, listeners, notice channels and push subscriptions. */
const isReceiver = sql`e.source not in ('mail', 'listener', 'notice_channel', 'push_subscription')`;

export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    address: { url: row.url, sealed: row.url_sealed, origin: row.origin },
    description: row.description,
    group: row.group_name,
    eventTypes: row.event_types,
    active: row.active,
    keepsAnswers: row.keeps_answers,
    source: row.source === 'account' ? 'account' : 'approval_workflow',
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

/** Returns the condition for the endpoints of a group, or for all endpoints if no group is given. */
const isOfGroup = (group: string | undefined) => (group === undefined ? sql`true` : sql`e.group_name = ${group}`);

/**
 * Returns the number of the account's own endpoints, or of those of a group. It is exact while the lock of
 * `lockAccount` is held.
 */
export async function countAccountEndpoints(trx: AnyTransaction, { accountId, group }: EndpointScope): Promise<number> {
  const result = await sql<{ count: number }>`
    select count(*)::int as count from webhooks.endpoint e
    where e.account_id = ${accountId} and e.source = 'account' and e.deleted_at is null and ${isOfGroup(group)}
  `.execute(trx);
  return result.rows[0]?.count ?? 0;
}

export interface NewEndpoint {
  readonly id: string;
  readonly accountId: string;
  /** Approval workflow of the endpoint; undefined for an endpoint of the account itself. */
  readonly workflow?: { readonly id: string; readonly source: WorkflowSource } | undefined;
  readonly address: SealedAddress;
  readonly description: string;
  readonly group?: string | undefined;
  readonly eventTypes: readonly string[];
  readonly keepsAnswers?: boolean | undefined;
}

export async function insertEndpoint(trx: AnyTransaction, endpoint: NewEndpoint): Promise<void> {
  await tables(trx)
    .insertInto('webhooks.endpoint')
    .values({
      id: endpoint.id,
      account_id: endpoint.accountId,
      source: endpoint.workflow?.source ?? 'account',
      source_id: endpoint.workflow?.id ?? null,
      url_sealed: endpoint.address.sealed,
      origin: endpoint.address.origin,
      description: endpoint.description,
      group_name: endpoint.group ?? null,
      event_types: [...endpoint.eventTypes],
      keeps_answers: endpoint.keepsAnswers ?? false,
    })
    .execute();
}

export async function findEndpoint(
  db: AnyDatabase,
  { accountId, group }: EndpointScope,
  id: string,
): Promise<Endpoint | undefined> {
  const result = await sql<EndpointRow>`
    select ${endpointColumns} from webhooks.endpoint e
    where e.account_id = ${accountId} and e.id = ${id} and e.deleted_at is null and ${isReceiver} and ${isOfGroup(group)}
  `.execute(db);
  const row = result.rows[0];
  return row === undefined ? undefined : toEndpoint(row);
}

/** Lists endpoints, newest first; one row more than `limit` shows that there is another page. */
export async function listEndpoints(db: AnyDatabase, query: IdPage & EndpointScope): Promise<Endpoint[]> {
  const before = query.beforeId === undefined ? sql`` : sql`and e.id < ${query.beforeId}`;
  const result = await sql<EndpointRow>`
    select ${endpointColumns} from webhooks.endpoint e
    where e.account_id = ${query.accountId} and e.deleted_at is null and ${isReceiver}
      and ${isOfGroup(query.group)} ${before}
    order by e.id desc limit ${query.limit + 1}
  `.execute(db);
  return result.rows.map(toEndpoint);
}

/** Returns the endpoints of an approval workflow, oldest first. */
export async function listWorkflowEndpoints(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly workflowId: string },
  source: WorkflowSource = 'approval_workflow',
): Promise<Endpoint[]> {
  const result = await sql<EndpointRow>`
    select ${endpointColumns} from webhooks.endpoint e
    where e.account_id = ${key.accountId} and e.source_id = ${key.workflowId} and e.source = ${source}
      and e.deleted_at is null
    order by e.id
  `.execute(db);
  return result.rows.map(toEndpoint);
}
