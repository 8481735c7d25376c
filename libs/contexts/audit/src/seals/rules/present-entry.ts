import type { AuditLogRow } from '../../schema.ts';
import type { ChainedEntry } from './chain.ts';

/** Returns the entry for a row: the data that the API shows, and that a seal covers. */
export function presentEntry(row: AuditLogRow): ChainedEntry {
  return {
    id: row.id,
    occurred_at: row.occurred_at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id },
    source: row.source,
    action: row.action,
    resource_type: row.resource_type,
    resource_id: row.resource_id,
    status: row.status,
    details: row.details,
  };
}
