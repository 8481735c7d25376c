import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

export const createApprovalRequest: Migration = {
  async up(db) {
    await sql`
      create table approvals.approval_request (
        id uuid primary key,
        account_id uuid not null,
        -- Kept when the workflow is deleted: what was decided stays readable.
        approval_workflow_id uuid not null,
        status text not null default 'pending'
          constraint approval_request_status_check
            check (status in ('pending', 'approved', 'declined', 'expired', 'cancelled')),
        tool_name text not null,
        server text not null,
        -- Without credentials. The hash is of what was really sent, with who sent it.
        arguments jsonb not null,
        call_hash bytea not null,
        summary text not null,
        reasoning text,
        quorum smallint not null,
        human_only boolean not null,
        requester_user_id uuid not null,
        api_key_id uuid,
        managed_agent_id text,
        managed_agent_name text,
        runtime_session_id uuid,
        execution_id uuid,
        rule jsonb,
        policy_version integer not null,
        requested_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        -- When the next thing happens by itself: escalation, then expiry. Only of pending ones.
        due_at timestamptz(3),
        escalated_at timestamptz(3),
        resolved_at timestamptz(3),
        actor jsonb,
        comment text,
        -- The one call that the approval was for went through.
        consumed_at timestamptz(3),
        webhook_posted_at timestamptz(3),
        webhook_error text,
        constraint approval_request_resolved_check check ((status = 'pending') = (resolved_at is null)),
        constraint approval_request_due_check check ((status = 'pending') = (due_at is not null)),
        constraint approval_request_actor_check check ((status = 'pending') = (actor is null)),
        constraint approval_request_consumed_check check (consumed_at is null or status = 'approved')
      )
    `.execute(db);
    // The same call has at most one open request.
    await sql`
      create unique index approval_request_held on approvals.approval_request (account_id, call_hash) where status = 'pending'
    `.execute(db);
    await sql`
      create index approval_request_call on approvals.approval_request (account_id, call_hash, id desc)
    `.execute(db);
    await sql`create index approval_request_due on approvals.approval_request (due_at) where status = 'pending'`.execute(
      db,
    );
    await sql`create index approval_request_of_account on approvals.approval_request (account_id, id desc)`.execute(db);
    await sql`
      create index approval_request_pending on approvals.approval_request (account_id, id desc) where status = 'pending'
    `.execute(db);
    await sql`
      create index approval_request_of_execution on approvals.approval_request (execution_id, id desc)
      where execution_id is not null
    `.execute(db);
    await sql`
      create table approvals.approval_vote (
        request_id uuid not null references approvals.approval_request (id) on delete cascade,
        user_id uuid not null,
        -- As they were called when they voted.
        display text not null,
        decision text not null constraint approval_vote_decision_check check (decision in ('approve', 'decline')),
        comment text,
        via text not null constraint approval_vote_via_check check (via in ('api', 'email')),
        voted_at timestamptz(3) not null,
        primary key (request_id, user_id)
      )
    `.execute(db);
    const gateway = sql.raw(APP_ROLES.apiGateway);
    await sql`grant select, insert, update, delete on approvals.approval_request to ${gateway}`.execute(db);
    await sql`grant select, insert, delete on approvals.approval_vote to ${gateway}`.execute(db);
  },
};
