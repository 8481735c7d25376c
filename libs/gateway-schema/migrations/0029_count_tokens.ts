import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the cache and reasoning tokens of a response (IMP-11), and how often its source wrote an entry (IMP-10). */
export const countTokens: Migration = {
  async up(db) {
    await sql`
      alter table gateway.session_content
        add column cache_read_tokens integer,
        add column cache_write_tokens integer,
        add column reasoning_tokens integer,
        add column revision integer not null default 0
    `.execute(db);
  },
};
