import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What was spent on embeddings, call by call, until it is booked as usage of models and taken away. A row is written with the sum
 * of its day, in one transaction; whoever books it takes it away in the transaction that writes the books.
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
    // Of those whose process died nobody else knows it; calls under way during the migration are nameless.
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
