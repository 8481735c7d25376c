import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Remembers how far the audit log of each account is exported to a bucket (ACC-53). */
export const exportAudits: Migration = {
  async up(db) {
    await sql`
      create table gateway.audit_export (
        account_id uuid primary key,
        number bigint not null constraint audit_export_number_check check (number >= 0),
        digest bytea not null constraint audit_export_digest_check check (octet_length(digest) = 32),
        removed_entries bigint,
        planned bigint constraint audit_export_planned_check check (planned > number),
        planned_until timestamptz(3),
        exported_at timestamptz(3)
      )
    `.execute(db);
    await sql`grant select, insert, update on gateway.audit_export to steward_api_gateway`.execute(db);
  },
};
