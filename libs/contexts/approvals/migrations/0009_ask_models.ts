import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

/** A workflow may ask a model before people. */
export const askModels: Migration = {
  async up(db) {
    await sql`
      alter table approvals.approval_workflow
        add column mode text not null default 'human'
          constraint approval_workflow_mode_check check (mode in ('human', 'ai_first')),
        add column ai_model_id uuid,
        add column ai_guidelines text not null default '',
        add column ai_confidence_threshold double precision not null default 0.8
          constraint approval_workflow_confidence_check check (ai_confidence_threshold between 0 and 1),
        add constraint approval_workflow_ai_check check (mode = 'human' or ai_model_id is not null)
    `.execute(db);
    await sql`
      alter table approvals.approval_request
        -- When the model is asked; once it is, when it is given up. Null: no model is asked, or no more.
        add column ai_due_at timestamptz(3),
        add column ai_asked_at timestamptz(3),
        -- What it said.
        add column ai jsonb
    `.execute(db);
    await sql`
      create index approval_request_ai_due on approvals.approval_request (ai_due_at)
      where ai_due_at is not null and status = 'pending'
    `.execute(db);
    await sql`grant update (ai) on approvals.approval_request to ${sql.raw(APP_ROLES.backfillSweeper)}`.execute(db);
  },
};
