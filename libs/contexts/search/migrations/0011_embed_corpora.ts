import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * State of the embedding: the walk position per account, the calls, and the chunks that are in calls, are to be retried
 * or were set aside. A chunk that has not been in a call has no row: everything after the walk position is the backlog.
 */
export const embedCorpora: Migration = {
  async up(db) {
    await sql`
      create table search.embedding_work (
        account_id uuid primary key,
        -- Whom the walk is for (provider, endpoint, model, scope): for another it begins anew.
        walk_for text not null default '',
        -- Ids of chunks ascend with time. Up to here nothing new can appear; the pass under way is further.
        walked_to uuid not null default '00000000-0000-0000-0000-000000000000',
        probed_to uuid not null default '00000000-0000-0000-0000-000000000000',
        -- When the next pass begins at walked_to again, for what committed late and what no message told of.
        look_back_at timestamptz not null default '-infinity',
        due_at timestamptz not null,
        -- No message makes the account due before.
        held_until timestamptz not null default '-infinity',
        served_at timestamptz not null default '-infinity',
        -- Calls that found no provider, in a row.
        failures smallint not null default 0,
        -- As the provider counts; null until its first answer.
        tokens_per_byte double precision
      ) with (fillfactor = 70)
    `.execute(db);
    await sql`create index embedding_work_due_index on search.embedding_work (due_at)`.execute(db);
    await sql`
      insert into search.embedding_work (account_id, due_at) select account_id, now() from search.embedding_setting
    `.execute(db);

    await sql`
      create table search.embedding_call (
        id uuid primary key,
        account_id uuid not null,
        -- The UTC day that pays, and what it set aside.
        day date not null,
        reserved_usd numeric(18, 10) not null,
        lease_until timestamptz not null
      )
    `.execute(db);
    await sql`create index embedding_call_account_index on search.embedding_call (account_id, lease_until)`.execute(db);
    await sql`
      create table search.embedding_task (
        account_id uuid not null,
        chunk_id uuid not null,
        state text not null constraint embedding_task_state_check check (state in ('called', 'waiting', 'failed')),
        call_id uuid,
        attempts smallint not null default 0,
        not_before timestamptz not null default '-infinity',
        -- Of a refused batch: how many go together next time, until the one that is refused is alone.
        batch_limit smallint,
        error text,
        primary key (account_id, chunk_id),
        constraint embedding_task_call_check check ((state = 'called') = (call_id is not null))
      )
    `.execute(db);
    await sql`create index embedding_task_call_index on search.embedding_task (call_id) where state = 'called'`.execute(
      db,
    );
    await sql`
      create index embedding_task_waiting_index on search.embedding_task (account_id, not_before) where state = 'waiting'
    `.execute(db);

    const indexer = sql.raw('steward_search_indexer');
    await sql`
      grant select (account_id, id, occurred_at, source_kind, redaction_state, content) on search.chunk to ${indexer}
    `.execute(db);
    await sql`grant select, update (degraded_reason, degraded_at) on search.embedding_setting to ${indexer}`.execute(
      db,
    );
    await sql`grant select, insert, update on search.embedding_spend to ${indexer}, steward_api_gateway`.execute(db);
    await sql`grant select, update on search.embedding_work to ${indexer}`.execute(db);
    await sql`grant select, insert, update, delete on search.embedding_call, search.embedding_task to ${indexer}`.execute(
      db,
    );
    // Saving the setting makes its account due; readers of the progress count rows.
    await sql`grant select, insert, update on search.embedding_work to steward_api_gateway`.execute(db);
    await sql`grant select on search.embedding_task to steward_api_gateway`.execute(db);
  },
};
