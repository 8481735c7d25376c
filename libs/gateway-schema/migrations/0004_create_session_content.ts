import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Creates the content of sessions, all kinds in one table so that the timeline is one index scan; and the states of
 * operator notes.
 */
export const createSessionContent: Migration = {
  async up(db) {
    // `content` is json, not jsonb: the text is kept unchanged (order, duplicates, number spelling) and cheaper to
    // write. No foreign key to the session: it would lock the session's row on every insert. Writers read the session
    // first.
    await sql`
      create table gateway.session_content (
        account_id uuid not null,
        id uuid not null,
        runtime_session_id uuid not null,
        kind text not null,
        occurred_at timestamptz(3) not null,
        role text,
        external_id text,
        api_key_id uuid,
        model_alias text,
        provider_name text,
        tool_name text,
        status text,
        input_tokens integer,
        output_tokens integer,
        cost_usd numeric(18, 9),
        content json,
        content_captured boolean not null,
        content_size_bytes integer not null,
        created_at timestamptz(3) not null,
        primary key (account_id, id),
        constraint session_content_kind_check check (
          kind in ('gateway_interaction', 'tool_call', 'transcript_message', 'operator_note', 'flow_log')
        ),
        constraint session_content_captured_check check (content_captured = (content is not null))
      )
    `.execute(db);
    await sql`
      create index session_content_timeline_index
      on gateway.session_content (account_id, runtime_session_id, occurred_at, id)
    `.execute(db);
    await sql`
      create unique index session_content_external_id_key
      on gateway.session_content (account_id, runtime_session_id, external_id)
      where external_id is not null
    `.execute(db);

    // The note's text is its content row (same id); this table contains only the changing state of the note.
    await sql`
      create table gateway.operator_note (
        account_id uuid not null,
        id uuid not null,
        runtime_session_id uuid not null,
        managed_agent_id text,
        author_user_id uuid not null,
        author_display text not null,
        author_auth_method text not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3),
        delivered_at timestamptz(3),
        delivery_channel text,
        turn_index integer,
        primary key (account_id, id),
        constraint operator_note_delivery_channel_check check (
          delivery_channel in ('gateway', 'hook', 'assistant_channel', 'assistant_message')
          and (delivered_at is null) = (delivery_channel is null)
        )
      )
    `.execute(db);
    await sql`
      create index operator_note_pending_index on gateway.operator_note (account_id, runtime_session_id, id)
      where delivered_at is null
    `.execute(db);

    await sql`
      grant select, insert, update, delete on gateway.session_content, gateway.operator_note to steward_api_gateway
    `.execute(db);
    await sql`grant select, insert on gateway.session_content to steward_flow_trigger`.execute(db);
    await sql`grant select on gateway.session_content to steward_backfill_sweeper`.execute(db);
  },
};
