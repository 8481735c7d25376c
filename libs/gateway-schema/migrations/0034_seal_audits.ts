import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Seals: each covers some rows of the audit log of an account, and its digest covers the seal before (ACC-51). A
 * trigger queues each row in the transaction that writes it, so that no row stays without a seal, however late it
 * commits.
 */
export const sealAudits: Migration = {
  async up(db) {
    await sql`
      create table gateway.audit_unsealed (
        audit_id uuid primary key,
        account_id uuid not null
      )
    `.execute(db);
    await sql`create index audit_unsealed_account_id_idx on gateway.audit_unsealed (account_id, audit_id)`.execute(db);
    await sql`
      create table gateway.audit_seal (
        account_id uuid not null,
        number bigint not null constraint audit_seal_number_check check (number > 0),
        -- In the order in which the digest covers them.
        audit_ids uuid[] not null constraint audit_seal_audit_ids_check check (cardinality(audit_ids) > 0),
        previous_digest bytea not null constraint audit_seal_previous_digest_check check (octet_length(previous_digest) = 32),
        digest bytea not null constraint audit_seal_digest_check check (octet_length(digest) = 32),
        sealed_at timestamptz(3) not null,
        primary key (account_id, number)
      )
    `.execute(db);
    await sql`
      create function gateway.queue_audit_seal() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
      begin
        insert into gateway.audit_unsealed (audit_id, account_id) select id, account_id from added;
        return null;
      end $$
    `.execute(db);
    await sql`revoke all on function gateway.queue_audit_seal() from public`.execute(db);
    await sql`
      create trigger audit_log_queue_seal after insert on gateway.audit_log
      referencing new table as added for each statement execute function gateway.queue_audit_seal()
    `.execute(db);
    // No update and no delete of seals: they are as permanent as the rows.
    await sql`grant select, delete on gateway.audit_unsealed to steward_api_gateway`.execute(db);
    await sql`grant select, insert on gateway.audit_seal to steward_api_gateway`.execute(db);
  },
};
