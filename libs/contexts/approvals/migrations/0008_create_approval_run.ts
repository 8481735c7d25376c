import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

export const createApprovalRun: Migration = {
  async up(db) {
    await sql`
      create table approvals.approval_run (
        request_id uuid primary key references approvals.approval_request (id) on delete cascade,
        account_id uuid not null,
        state text not null constraint approval_run_state check (state in ('kept', 'running', 'done')),
        -- What runs; null once it did.
        call_sealed bytea,
        -- A run whose process died ends with it.
        lease_until timestamptz(3),
        -- Null where it was not kept.
        result_sealed bytea,
        constraint approval_run_kept check (state = 'done' or call_sealed is not null),
        constraint approval_run_lease check (state <> 'running' or lease_until is not null)
      )
    `.execute(db);
    const gateway = sql.raw(APP_ROLES.apiGateway);
    await sql`grant select, insert, update on approvals.approval_run to ${gateway}`.execute(db);
    const sweeper = sql.raw(APP_ROLES.backfillSweeper);
    await sql`grant select (request_id), delete on approvals.approval_run to ${sweeper}`.execute(db);
  },
};
