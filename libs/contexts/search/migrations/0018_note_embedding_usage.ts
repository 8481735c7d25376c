import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Embedding spend per call, until it is recorded as model usage and deleted. A row is written together with the sum of
 * its day; it is deleted in the transaction that writes the ledger.
 */
export const noteEmbeddingUsage: Migration = {
  async up(db) {
    await sql`
      create table search.embedding_usage (
        account_id uuid not null,
        call_id uuid not null,
        occurred_at timestamptz(3) not null,
        noted_at timestamptz(3) not null default clock_timestamp(),
        provider text not null,
        model_identifier text not null,
        -- As a usage row says it. A call that was assumed and is heard of after all is noted once more.
        source text not null constraint embedding_usage_source_check check (source in ('provider', 'estimated', 'assumed')),
        is_failed boolean not null,
        tokens bigint,
        cost_usd numeric(18, 10) not null,
        primary key (account_id, call_id)
      )
    `.execute(db);
    // For calls whose process died, these values are stored nowhere else; calls in flight during the migration have no
    // model name.
    await sql`
      alter table search.embedding_call
        add column called_at timestamptz(3) not null default now(),
        add column provider text not null default 'generic_compatible',
        add column model_identifier text not null default ''
    `.execute(db);
    const [indexer, gateway] = [sql.raw('steward_search_indexer'), sql.raw('steward_api_gateway')];
    await sql`grant select, insert, update on search.embedding_usage to ${indexer}`.execute(db);
    await sql`grant select, insert, update, delete on search.embedding_usage to ${gateway}`.execute(db);
  },
};
