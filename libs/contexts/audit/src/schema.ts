import type { ColumnType, Generated, Kysely, Selectable } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export type AuditActorKind = 'user' | 'api_key' | 'agent' | 'system' | 'anonymous';
export type AuditSource = 'console' | 'mcp' | 'system' | 'webhook';
export type AuditStatus = 'success' | 'denied' | 'failure';

export interface AuditLogTable {
  id: string;
  account_id: string;
  occurred_at: Date;
  actor_kind: AuditActorKind;
  actor_id: string | null;
  source: AuditSource;
  action: string;
  resource_type: string;
  resource_id: string | null;
  status: AuditStatus;
  details: ColumnType<Record<string, unknown>, string, never>;
  request_id: string | null;
}

/** Identifies the audit row to which further reads of the same content by the same reader are added. */
export interface AuditReadWindowTable {
  account_id: string;
  reader: Buffer;
  audit_id: string;
  opened_at: Date;
}

/** Number of reads that a row covers, and the time of the last one. */
export interface AuditReadCountTable {
  audit_id: string;
  reads: number;
  last_read_at: Date;
}

/** A seal of an account's rows. The seals of an account are numbered from 1, without a gap. */
export interface AuditSealTable {
  account_id: string;
  number: number;
  audit_ids: string[];
  previous_digest: Buffer;
  digest: Buffer;
  sealed_at: Date;
}

/** The last seal that retention removed, and the total number of entries that were removed. */
export interface AuditPrunedTable {
  account_id: string;
  number: number;
  digest: Buffer;
  entries: number;
  pruned_at: Date;
}

/** How far the log of an account is exported, and the object that is being stored. */
export interface AuditExportTable {
  account_id: string;
  /**
   * Number and digest of the last seal that was exported, or that was skipped because retention had removed it; the
   * number is 0 if there is no such seal.
   */
  number: number;
  digest: Buffer;
  /**
   * Total number of entries that retention has removed, if the planned object begins after removed seals that were
   * never exported; otherwise null.
   */
  removed_entries: Generated<number | null>;
  /** Last seal of the object that is being stored. It stays the same until the object is stored. */
  planned: Generated<number | null>;
  /** End of the lease of the process that is storing the object; null if there is none. */
  planned_until: Generated<Date | null>;
  exported_at: Generated<Date | null>;
}

export interface AuditDatabase {
  'gateway.audit_log': AuditLogTable;
  'gateway.audit_read_window': AuditReadWindowTable;
  'gateway.audit_read_count': AuditReadCountTable;
  'gateway.audit_seal': AuditSealTable;
  'gateway.audit_pruned': AuditPrunedTable;
  'gateway.audit_export': AuditExportTable;
}

export type AuditLogRow = Selectable<AuditLogTable>;
export type AuditSealRow = Selectable<AuditSealTable>;
export type AuditPrunedRow = Selectable<AuditPrunedTable>;
export type AuditExportRow = Selectable<AuditExportTable>;

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<AuditDatabase> => db;
