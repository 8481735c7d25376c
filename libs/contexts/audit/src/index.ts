/**
 * Audit context: who did what to which resource, with which outcome; reads that share a row; seals, the export to a
 * bucket, and retention. The row about a change is written in the transaction of that change.
 *
 * Not here: HTTP, the choice of recorded actions (each surface and context makes its own). Used by: the audit API, and
 * all APIs, contexts and use cases that record actions.
 */
export { recordAudit } from './operations/record-audit.ts';
export { prepareAudit, type AuditEntry, type PreparedAudit } from './operations/prepare-audit.ts';
export type { AuditLogRow } from './schema.ts';
// Exported as a SQL string, so that a batch of triggers is accepted and recorded in one round trip.
export { buildAuditInsert } from './store/audit-insert.store.ts';
export { countReads, purgeReadWindows, recordReads, type ReadCount } from './store/audit-read.store.ts';
export { identifyRead, READ_WINDOW_MS, type OpenedRead, type PreparedRead } from './operations/prepare-read.ts';
export { listAuditLog, recordAudits, type AuditFilter } from './store/audit-log.store.ts';
export { pruneAudits } from './retention/operations/prune-audits.ts';
export { findPruned } from './retention/store/audit-pruned.store.ts';
export { sealAudits } from './seals/operations/seal-audits.ts';
export { presentEntry } from './seals/rules/present-entry.ts';
export { renderEnd, renderSeal, renderStart, type ExportStart } from './seals/rules/render-lines.ts';
export { exportAudits, type AuditExport, type ExportOutcome } from './export/operations/export-audits.ts';
export { readSeals } from './seals/operations/read-seals.ts';
export { countUnsealed, findSealDigest } from './seals/store/audit-seal.store.ts';
