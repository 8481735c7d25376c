import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Grants for agents to search their whole account (SRCH-60), and saved searches (SRCH-70). */
export const createSavedSearch: Migration = {
  async up(db) {
    await sql`
      create table search.account_scope_grant (
        account_id uuid not null,
        subject_type text not null constraint account_scope_grant_subject_type_check
          check (subject_type in ('managed_agent', 'api_key', 'account')),
        subject_id text not null,
        -- False is a value of its own: it ends the look-up.
        is_granted boolean not null,
        primary key (account_id, subject_type, subject_id),
        constraint account_scope_grant_account_check check (subject_type <> 'account' or subject_id = account_id::text)
      )
    `.execute(db);
    await sql`
      create table search.saved_search (
        account_id uuid not null,
        id uuid not null,
        owner_id uuid not null,
        name text not null,
        query text not null,
        mode text not null constraint saved_search_mode_check check (mode in ('keyword', 'semantic', 'hybrid')),
        filters jsonb not null,
        max_snippets_per_session smallint not null,
        include_snippet_text boolean not null,
        visibility text not null constraint saved_search_visibility_check check (visibility in ('private', 'account')),
        shared_at timestamptz,
        ranking_identity text not null,
        last_run_at timestamptz,
        run_count bigint not null default 0,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (account_id, id),
        constraint saved_search_name_key unique (account_id, owner_id, name),
        constraint saved_search_shared_at_check check ((visibility = 'account') = (shared_at is not null))
      )
    `.execute(db);
    await sql`grant select, insert, delete on search.account_scope_grant to steward_api_gateway`.execute(db);
    await sql`grant select, insert, update, delete on search.saved_search to steward_api_gateway`.execute(db);
  },
};
