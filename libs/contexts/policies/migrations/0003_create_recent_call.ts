import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

export const createRecentCall: Migration = {
  async up(db) {
    // Allowed calls of one day, for accounts whose rules count them.
    await sql`
      create table policies.recent_call (
        account_id uuid not null,
        -- The session, or who calls without one.
        caller text not null,
        id bigint generated always as identity,
        server text not null,
        tool text not null,
        -- Of tool and arguments.
        call_hash bytea not null,
        made_at timestamptz(3) not null default clock_timestamp(),
        primary key (account_id, caller, id)
      )
    `.execute(db);
    await sql`create index recent_call_by_age on policies.recent_call (account_id, made_at)`.execute(db);
    // Rows are locked before they are deleted, which needs the update right.
    const gateway = sql.raw(APP_ROLES.apiGateway);
    await sql`grant select, insert, update, delete on policies.recent_call to ${gateway}`.execute(db);
  },
};
