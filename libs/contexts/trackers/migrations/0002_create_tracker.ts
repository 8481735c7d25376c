import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Connections to trackers with sealed tokens, and the hooks of flows there. */
export const createTracker: Migration = {
  async up(db) {
    await sql`
      create table trackers.tracker (
        account_id uuid not null,
        id uuid not null,
        name text not null constraint tracker_name_check check (name ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'),
        kind text not null constraint tracker_kind_check check (kind in ('github', 'gitlab', 'jira', 'linear')),
        base_url text not null,
        username text,
        token_sealed bytea not null,
        -- Empty: all that the token reaches.
        repositories text[] not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (account_id, id),
        constraint tracker_name_key unique (account_id, name)
      )
    `.execute(db);
    await sql`
      create table trackers.hook (
        account_id uuid not null,
        id uuid not null,
        flow_id uuid not null,
        tracker_id uuid not null,
        repository text not null,
        -- False: it is to be removed at the tracker, since its flow is disabled.
        is_wanted boolean not null,
        -- Of a flow that is gone or has another one: its row goes when it is removed at the tracker.
        is_left boolean not null default false,
        state text not null constraint hook_state_check check (state in ('pending', 'active', 'failed', 'removed')),
        reason text,
        -- What the tracker calls it.
        hook_id text,
        attempts integer not null default 0,
        -- When it is worked on next; null: nothing is left to do.
        due_at timestamptz(3),
        -- Another one with each change: what was begun before it counts no more.
        version integer not null default 1,
        registered_at timestamptz(3),
        primary key (account_id, id),
        foreign key (account_id, tracker_id) references trackers.tracker (account_id, id) on delete cascade
      )
    `.execute(db);
    await sql`create unique index hook_of_flow on trackers.hook (flow_id) where not is_left`.execute(db);
    await sql`create index hook_of_tracker on trackers.hook (account_id, tracker_id)`.execute(db);
    await sql`create index hook_due on trackers.hook (due_at) where due_at is not null`.execute(db);
    await sql`grant select, insert, update, delete on trackers.tracker, trackers.hook to steward_api_gateway`.execute(
      db,
    );
  },
};
