import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A row for each model call: the ledger that every budget sums up. Rows are never deleted. */
export const createUsage: Migration = {
  async up(db) {
    await sql`
      create table models.usage (
        account_id uuid not null,
        id uuid not null,
        occurred_at timestamptz(3) not null,
        api_key_id uuid,
        user_id uuid,
        managed_agent_id text,
        execution_id uuid,
        flow_id uuid,
        runtime_session_id uuid,
        model_id uuid,
        model_alias text,
        provider text,
        endpoint text not null,
        status text not null constraint usage_status_check check (status in ('ok', 'error', 'aborted', 'refused')),
        input_tokens bigint,
        cached_input_tokens bigint,
        output_tokens bigint,
        -- Null: the price is unknown.
        cost_usd numeric(24, 12) constraint usage_cost_usd_check check (cost_usd >= 0),
        price_source text not null
          constraint usage_price_source_check check (price_source in ('catalogue', 'custom', 'unknown')),
        -- Null: the provider was not asked.
        usage_source text
          constraint usage_usage_source_check check (usage_source in ('provider', 'estimated', 'partial', 'assumed')),
        duration_ms integer not null,
        first_byte_ms integer,
        stream boolean not null,
        error_class text,
        primary key (account_id, id)
      )
    `.execute(db);
    await sql`create index usage_time_idx on models.usage (account_id, occurred_at, id)`.execute(db);
    for (const column of ['api_key_id', 'managed_agent_id', 'flow_id', 'execution_id', 'runtime_session_id']) {
      await sql`
        create index ${sql.id(`usage_${column}_idx`)} on models.usage (account_id, ${sql.id(column)}, occurred_at, id)
        where ${sql.id(column)} is not null
      `.execute(db);
    }
    // An assumed row is replaced once, if its call reports after all.
    await sql`grant select, insert, update on models.usage to steward_api_gateway`.execute(db);
  },
};
