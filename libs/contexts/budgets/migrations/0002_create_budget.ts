import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Budgets of an account, and their spend. Money is numeric with the decimals of a usage row: no sum is rounded. */
export const createBudget: Migration = {
  async up(db) {
    await sql`
      create table budgets.budget (
        account_id uuid not null,
        id uuid not null,
        scope text not null
          constraint budget_scope_check check (scope in ('account', 'managed_agent', 'api_key', 'flow')),
        scope_id text,
        model_alias text,
        period text not null constraint budget_period_check
          check (period in ('hourly', 'daily', 'weekly', 'monthly', 'yearly', 'all_time')),
        limit_amount numeric(24, 12) not null constraint budget_limit_amount_check check (limit_amount > 0),
        is_hard boolean not null,
        thresholds_percent integer[] not null
          constraint budget_thresholds_percent_check check (cardinality(thresholds_percent) <= 5),
        is_enabled boolean not null,
        -- Raised with the limit: a threshold crossed anew is another event.
        arm_generation integer not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (account_id, id),
        constraint budget_scope_id_check check ((scope = 'account') = (scope_id is null)),
        constraint budget_key unique nulls not distinct (account_id, scope, scope_id, model_alias, period)
      )
    `.execute(db);
    // No check that sums are positive: it would see the row to be inserted, before that becomes an update of the
    // existing row.
    await sql`
      create table budgets.bucket (
        account_id uuid not null,
        budget_id uuid not null,
        period_start timestamptz(3) not null,
        spent numeric(30, 12) not null,
        reserved numeric(30, 12) not null,
        primary key (account_id, budget_id, period_start),
        constraint bucket_budget_fk foreign key (account_id, budget_id)
          references budgets.budget (account_id, id) on delete cascade
      )
    `.execute(db);
    await sql`
      create table budgets.crossing (
        account_id uuid not null,
        budget_id uuid not null,
        period_start timestamptz(3) not null,
        kind text not null constraint crossing_kind_check check (kind in ('threshold', 'exceeded')),
        threshold_percent integer not null,
        primary key (account_id, budget_id, period_start, kind, threshold_percent),
        constraint crossing_budget_fk foreign key (account_id, budget_id)
          references budgets.budget (account_id, id) on delete cascade
      )
    `.execute(db);
    await sql`grant select, insert, update, delete on budgets.budget to steward_api_gateway`.execute(db);
    await sql`grant select, insert, update on budgets.bucket to steward_api_gateway`.execute(db);
    await sql`grant select, insert, delete on budgets.crossing to steward_api_gateway`.execute(db);
  },
};
