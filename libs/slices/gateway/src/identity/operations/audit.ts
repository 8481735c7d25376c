import type { Transaction } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { newId } from '@steward/runtime';
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

/** One row of the audit log, in the transaction of what it records. */
export async function recordAudit(db: AnyTransaction | AnyDatabase, entry: AuditEntry): Promise<void> {
  await (db as unknown as Transaction<IdentityDatabase>)
    .insertInto('gateway.audit_log')
    .values({
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
      details: JSON.stringify(entry.details ?? {}),
      request_id: entry.requestId ?? null,
    })
    .execute();
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
