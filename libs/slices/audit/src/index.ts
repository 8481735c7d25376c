/**
 * Audit slice: who did what to which resource, with what outcome, written in the transaction of what it records.
 *
 * Not here: HTTP, which actions are recorded (each door and slice says that of its own).
 * Used by: api-gateway (writes and lists), the flows slice (an acceptance records itself).
 */
export { recordAudit } from './operations/record-audit.ts';
export { prepareAudit, type AuditEntry, type PreparedAudit } from './operations/prepare-audit.ts';
export type { AuditLogRow } from './schema.ts';
// The text of a statement: a batch of triggers is accepted and recorded in one round trip.
export { buildAuditInsert } from './store/audit-insert.store.ts';
export { countReads, purgeReadWindows, recordReads, type ReadCount } from './store/audit-read.store.ts';
export { identifyRead, READ_WINDOW_MS, type OpenedRead, type PreparedRead } from './operations/prepare-read.ts';
export { listAuditLog, recordAudits, type AuditFilter } from './store/audit-log.store.ts';
