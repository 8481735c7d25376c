import type { AuditResourceType } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AuditActorKind, AuditLogRow, AuditSource, AuditStatus } from '../schema.ts';

export interface AuditEntry {
  readonly accountId: string;
  readonly actor: { readonly kind: AuditActorKind; readonly id: string | null };
  readonly source: AuditSource;
  readonly action: string;
  readonly resourceType: AuditResourceType;
  readonly resourceId: string | null;
  readonly status: AuditStatus;
  /** Details of the action, which contain neither secrets nor bodies, such as the content of a session (ACC-35). */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly occurredAt?: Date;
}

/** A row to be written: its id and time are fixed, so that writing it twice stores it once. */
export type PreparedAudit = Omit<AuditLogRow, 'details'> & { readonly details: object };

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
