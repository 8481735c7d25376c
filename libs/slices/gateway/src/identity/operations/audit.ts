import { sql, type Transaction } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { newId, toStorableJson } from '@steward/runtime';
import { buildAuditInsert } from './audit-insert.ts';
import type { AuditActorKind, AuditLogRow, AuditSource, AuditStatus, IdentityDatabase } from '../schema.ts';

export interface AuditEntry {
  readonly accountId: string;
  readonly actor: { readonly kind: AuditActorKind; readonly id: string | null };
  readonly source: AuditSource;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly status: AuditStatus;
  /** Never a secret, never a body. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly occurredAt?: Date;
}

/** A row to be written: its id and time are fixed, so that writing it twice writes it once. */
export type PreparedAudit = Omit<AuditLogRow, 'details'> & { readonly details: object };

/** One row of the audit log, in the transaction of what it records. */
export function recordAudit(db: AnyTransaction | AnyDatabase, entry: AuditEntry): Promise<void> {
  return recordAudits(db, [prepareAudit(entry)]);
}

/** Any number of rows in one statement; those that are there already are left as they are. */
export async function recordAudits(db: AnyTransaction | AnyDatabase, rows: readonly PreparedAudit[]): Promise<void> {
  const record = sql`json_populate_recordset(null::gateway.audit_log, ${writeRows(rows)}::json)`;
  const insert =
    buildAuditInsert(`select id, account_id, occurred_at, actor_kind, actor_id, source, action, resource_type,
    resource_id, status, details, request_id from`);
  await sql`/* prepared */ ${sql.raw(insert)} ${record} on conflict (id) do nothing`.execute(db);
}

/** What no text of the database can hold (NUL, lone surrogates), JSON writes as an escape; few rows have one. */
function writeRows(rows: readonly PreparedAudit[]): string {
  const text = JSON.stringify(rows);
  return /\\u(?:0000|d[89a-f])/.test(text) ? JSON.stringify(toStorableJson(JSON.parse(text))) : text;
}

export function prepareAudit(entry: AuditEntry): PreparedAudit {
  return {
    id: newId(),
    account_id: entry.accountId,
    occurred_at: entry.occurredAt ?? new Date(),
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    source: entry.source,
    action: entry.action,
    resource_type: entry.resourceType,
    resource_id: entry.resourceId,
    status: entry.status,
    details: entry.details ?? {},
    request_id: entry.requestId ?? null,
  };
}

export interface AuditFilter {
  readonly accountId: string;
  readonly action?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly status?: AuditStatus | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

/** Newest first, one more than `limit` when there is a further page. */
export function listAuditLog(db: AnyDatabase, filter: AuditFilter): Promise<AuditLogRow[]> {
  const { action, resourceType, status, since, until, beforeId } = filter;
  let query = (db as unknown as Transaction<IdentityDatabase>)
    .selectFrom('gateway.audit_log')
    .selectAll()
    .where('account_id', '=', filter.accountId);
  if (action !== undefined) query = query.where('action', '=', action);
  if (resourceType !== undefined) query = query.where('resource_type', '=', resourceType);
  if (status !== undefined) query = query.where('status', '=', status);
  if (since !== undefined) query = query.where('occurred_at', '>=', since);
  if (until !== undefined) query = query.where('occurred_at', '<', until);
  if (beforeId !== undefined) query = query.where('id', '<', beforeId);
  return query
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();
}
