import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

export const createApprovalLink: Migration = {
  async up(db) {
    // Null: mail is sent if the deployment sends any.
    await sql`alter table approvals.approval_workflow add column email boolean`.execute(db);
    await sql`
      create table approvals.approval_link (
        -- Of the token in the mail, which nobody else has.
        token_hash bytea primary key,
        request_id uuid not null references approvals.approval_request (id) on delete cascade,
        user_id uuid not null,
        used_at timestamptz(3),
        constraint approval_link_key unique (request_id, user_id)
      )
    `.execute(db);
    const gateway = sql.raw(APP_ROLES.apiGateway);
    await sql`grant select, insert, update, delete on approvals.approval_link to ${gateway}`.execute(db);
  },
};
