import type { AnyDatabase } from '@steward/database';
import { prepareAudit, type AuditEntry } from './prepare-audit.ts';
import { recordAudits } from '../store/audit-log.store.ts';

/** Writes one row of the audit log in the transaction of the recorded change. */
export function recordAudit(db: AnyDatabase, entry: AuditEntry): Promise<void> {
  return recordAudits(db, [prepareAudit(entry)]);
}
