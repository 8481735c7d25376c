import { sql } from 'kysely';
import { executePrepared, pageById, type AnyDatabase, type IdPage, type TimeBounds } from '@steward/database';
import { toStorableJson } from '@steward/text';
import type { PreparedAudit } from '../operations/prepare-audit.ts';
import { tables, type AuditLogRow, type AuditStatus } from '../schema.ts';
import { buildAuditInsert } from './audit-insert.store.ts';

/** Inserts any number of rows in one statement; existing rows stay unchanged. */
export async function recordAudits(db: AnyDatabase, rows: readonly PreparedAudit[]): Promise<void> {
  const record = sql`json_populate_recordset(null::gateway.audit_log, ${writeRows(rows)}::json)`;
  const insert =
    buildAuditInsert(`select id, account_id, occurred_at, actor_kind, actor_id, source, action, resource_type,
    resource_id, status, details, request_id from`);
  await executePrepared(db, 'audit.record', sql`${sql.raw(insert)} ${record} on conflict (id) do nothing`);
}

/**
 * Returns the rows as JSON. Characters that no text column can store (NUL, lone surrogates) are written as escapes by
 * JSON; if the text contains such an escape, the rows are cleaned.
 */
export function writeRows(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  return /\\u(?:0000|d[89a-f])/.test(text) ? JSON.stringify(toStorableJson(JSON.parse(text))) : text;
}

export interface AuditFilter extends TimeBounds, IdPage {
  readonly action?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly status?: AuditStatus | undefined;
}

/**
 * Lists rows, newest first, with one more than `limit` if there is another page. A row that covers several reads
 * contains their number and the time of the last one (ACC-43).
 */
export async function listAuditLog(db: AnyDatabase, filter: AuditFilter): Promise<AuditLogRow[]> {
  const { action, resourceType, status, since, until } = filter;
  let query = tables(db)
    .selectFrom('gateway.audit_log')
    .leftJoin('gateway.audit_read_count', 'audit_id', 'id')
    .selectAll('gateway.audit_log')
    .select(['reads', 'last_read_at'])
    .where('account_id', '=', filter.accountId);
  if (action !== undefined) query = query.where('action', '=', action);
  if (resourceType !== undefined) query = query.where('resource_type', '=', resourceType);
  if (status !== undefined) query = query.where('status', '=', status);
  if (since !== undefined) query = query.where('occurred_at', '>=', since);
  if (until !== undefined) query = query.where('occurred_at', '<', until);
  const rows = await pageById(query, filter).execute();
  return rows.map(({ reads, last_read_at, ...row }) =>
    reads === null ? row : { ...row, details: { ...row.details, reads, last_read_at } },
  );
}
