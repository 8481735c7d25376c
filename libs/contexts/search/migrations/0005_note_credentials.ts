import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Places where a credential was seen: its fingerprint under a key of the account, never the credential. Also the
 * version of the rules that masked a chunk, so that chunks of older rules are found and masked again.
 */
export const noteCredentials: Migration = {
  async up(db) {
    // A constant default rewrites nothing.
    await sql`alter table search.chunk add column mask_version smallint not null default 1`.execute(db);
    await sql`
      create index chunk_outdated_mask_index on search.chunk (account_id, occurred_at desc, id desc) where mask_version < 2
    `.execute(db);

    await sql`
      create table search.credential_key (
        account_id uuid primary key,
        key bytea not null constraint credential_key_key_check check (length(key) = 32)
      )
    `.execute(db);
    await sql`
      create table search.credential_sighting (
        account_id uuid not null,
        fingerprint bytea not null,
        runtime_session_id uuid not null,
        source_kind text not null,
        source_id text not null,
        rule_id text not null,
        -- When the content happened, as its chunks say it.
        occurred_at timestamptz(3) not null,
        first_seen_at timestamptz not null default now(),
        last_seen_at timestamptz not null default now(),
        primary key (account_id, fingerprint, source_kind, source_id)
      )
    `.execute(db);
    await sql`
      create index credential_sighting_time_index
      on search.credential_sighting (account_id, fingerprint, occurred_at desc, source_kind, source_id)
    `.execute(db);
    // Indexes for a source that is rewritten, and for expiry.
    await sql`
      create index credential_sighting_source_index on search.credential_sighting (account_id, source_kind, source_id)
    `.execute(db);
    await sql`
      create index credential_sighting_expiry_index on search.credential_sighting (account_id, occurred_at)
    `.execute(db);

    const writers = sql.raw('steward_api_gateway, steward_backfill_sweeper');
    await sql`grant select, insert on search.credential_key to ${writers}`.execute(db);
    await sql`grant select, insert, update, delete on search.credential_sighting to ${writers}`.execute(db);
    await sql`grant select (account_id, occurred_at), delete on search.credential_sighting to steward_search_indexer`.execute(
      db,
    );
    // A chunk without a source is masked in place.
    await sql`grant update (content, redaction_state, mask_version) on search.chunk to steward_backfill_sweeper`.execute(
      db,
    );
  },
};
