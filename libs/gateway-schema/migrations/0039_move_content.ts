import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Large bodies of content may be in a bucket (ADR 0080): `content_object` is then the key of the object instead of
 * `content`. Bodies are sealed with a key of their account, sweepers claim the bodies that they move, and objects that
 * no row names any more wait in a list until they are removed.
 */
export const moveContent: Migration = {
  async up(db) {
    await sql`
      alter table gateway.session_content
        add column content_object text,
        add column content_object_bytes integer,
        add column content_sha256 bytea,
        drop constraint session_content_captured_check,
        add constraint session_content_stored_check
          check (content_captured = (content is not null or content_object is not null)) not valid,
        add constraint session_content_object_check
          check (
            (content_object is null) = (content_sha256 is null)
            and (content_object is null) = (content_object_bytes is null)
            and (content_object is null or content is null)
          ) not valid
    `.execute(db);
    await sql`
      create table gateway.content_key (
        account_id uuid primary key,
        key_sealed bytea not null,
        created_at timestamptz(3) not null default clock_timestamp()
      )
    `.execute(db);
    await sql`
      create table gateway.content_claim (
        account_id uuid not null,
        content_id uuid not null,
        claimed_until timestamptz not null,
        primary key (account_id, content_id)
      )
    `.execute(db);
    await sql`
      create table gateway.content_removal (
        account_id uuid not null,
        runtime_session_id uuid not null,
        object_key text not null,
        due_at timestamptz not null default clock_timestamp(),
        primary key (account_id, runtime_session_id, object_key)
      )
    `.execute(db);
    await sql`create index content_removal_due_index on gateway.content_removal (due_at)`.execute(db);

    const sweeper = sql.raw('steward_backfill_sweeper');
    await sql`
      grant update (content, content_object, content_object_bytes, content_sha256) on gateway.session_content to ${sweeper}
    `.execute(db);
    await sql`grant select, insert on gateway.content_key to ${sweeper}`.execute(db);
    await sql`grant select, insert, update, delete on gateway.content_claim to ${sweeper}`.execute(db);
    await sql`grant select, insert, update, delete on gateway.content_removal to ${sweeper}`.execute(db);
    await sql`grant select on gateway.content_key to steward_api_gateway`.execute(db);
    await sql`grant insert on gateway.content_removal to steward_api_gateway`.execute(db);
  },
};
