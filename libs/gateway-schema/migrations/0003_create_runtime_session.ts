import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Creates runtime sessions: one row per session of an agent, open until `ended_at` is set. */
export const createRuntimeSession: Migration = {
  async up(db) {
    // The fillfactor leaves free space for in-page updates: every content write may move `last_activity_at`, which no
    // index contains.
    await sql`
      create table gateway.runtime_session (
        account_id uuid not null,
        id uuid not null,
        session_source_type text not null,
        session_source_id text not null,
        session_reference text,
        runtime_principal_type text,
        runtime_principal_id text,
        runtime_principal_name text,
        flow_id uuid,
        execution_id uuid,
        api_key_id uuid,
        title text,
        title_origin text,
        title_hint text,
        summary text,
        started_at timestamptz(3) not null,
        last_activity_at timestamptz(3) not null,
        last_seen_at timestamptz(3) not null,
        ended_at timestamptz(3),
        end_reason text,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (account_id, id),
        constraint runtime_session_source_key unique (account_id, session_source_type, session_source_id),
        constraint runtime_session_title_origin_check
          check (title_origin in ('client', 'generated') and (title is null) = (title_origin is null)),
        constraint runtime_session_end_reason_check
          check (end_reason in ('execution_finished', 'idle', 'operator') and (ended_at is null) = (end_reason is null))
      ) with (fillfactor = 80)
    `.execute(db);

    // Index for the list, newest first; the partial indexes serve its filters without reading the rows of other
    // accounts.
    await sql`
      create index runtime_session_started_index on gateway.runtime_session (account_id, started_at desc, id desc)
    `.execute(db);
    await sql`
      create index runtime_session_active_index on gateway.runtime_session (account_id, started_at desc, id desc)
      where ended_at is null
    `.execute(db);
    await sql`
      create index runtime_session_principal_index
      on gateway.runtime_session (account_id, runtime_principal_id, started_at desc, id desc)
      where runtime_principal_id is not null
    `.execute(db);
    await sql`
      create index runtime_session_flow_index on gateway.runtime_session (account_id, flow_id, started_at desc, id desc)
      where flow_id is not null
    `.execute(db);

    // A search for an identifier finds its session (decisions.md section 4).
    await sql`
      create index runtime_session_source_id_index on gateway.runtime_session (account_id, session_source_id)
    `.execute(db);
    await sql`
      create index runtime_session_reference_index on gateway.runtime_session (account_id, session_reference)
      where session_reference is not null
    `.execute(db);
    await sql`
      create index runtime_session_execution_index on gateway.runtime_session (account_id, execution_id)
      where execution_id is not null
    `.execute(db);
    await sql`
      create index runtime_session_api_key_index on gateway.runtime_session (account_id, api_key_id, started_at desc)
      where api_key_id is not null
    `.execute(db);

    // Index for the idle sweep's claim, over all accounts.
    await sql`
      create index runtime_session_idle_index on gateway.runtime_session (last_seen_at) where ended_at is null
    `.execute(db);

    await sql`
      grant usage on schema gateway to steward_api_gateway, steward_flow_trigger, steward_backfill_sweeper
    `.execute(db);
    await sql`
      grant select on gateway.schema_migration to steward_api_gateway, steward_flow_trigger, steward_backfill_sweeper
    `.execute(db);
    await sql`
      grant select, insert, update, delete on gateway.runtime_session to steward_api_gateway
    `.execute(db);
    await sql`grant select, insert, update on gateway.runtime_session to steward_flow_trigger`.execute(db);
    await sql`grant select on gateway.runtime_session to steward_backfill_sweeper`.execute(db);
  },
};
