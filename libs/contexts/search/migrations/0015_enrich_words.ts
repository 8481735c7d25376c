import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The tsvector of a chunk is built from its words and from their parts (ADR 0041). The database itself can only build
 * the words: a write or a change of the text that does not set the column gets only the words, as in the previous
 * version. Nothing is rewritten here; the sweeper processes existing chunks.
 */
export const enrichWords: Migration = {
  async up(db) {
    await sql`alter table search.chunk alter column tsv drop expression`.execute(db);
    await sql`alter table search.chunk add column index_version smallint not null default 1`.execute(db);
    await sql`
      create index chunk_outdated_words_index on search.chunk (account_id, occurred_at desc, id desc) where index_version < 2
    `.execute(db);
    await sql`
      create function search.index_plain_words() returns trigger
      language plpgsql set search_path = pg_catalog, pg_temp as $$
      begin
        new.tsv := to_tsvector('simple'::regconfig, new.content);
        new.index_version := 1;
        return new;
      end $$
    `.execute(db);
    await sql`revoke all on function search.index_plain_words() from public`.execute(db);
    await sql`
      create trigger index_new_text before insert on search.chunk for each row
      when (new.tsv is null) execute function search.index_plain_words()
    `.execute(db);
    await sql`
      create trigger index_changed_text before update on search.chunk for each row
      when (old.content is distinct from new.content and old.tsv is not distinct from new.tsv)
      execute function search.index_plain_words()
    `.execute(db);
    await sql`grant update (tsv, index_version) on search.chunk to steward_backfill_sweeper`.execute(db);
  },
};
