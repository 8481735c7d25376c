import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A walk covers content stored unindexed up to a generation, not up to a time: a late commit has an earlier timestamp.
 * Existing watermarks cover no generation, so each account with such content is walked again, but only its sessions
 * that have changed since.
 */
export const compareGenerations: Migration = {
  async up(db) {
    await sql`
      alter table backfill.watermark
        -- The generation of gateway.unindexed_content as the walk began.
        add column walk_generation bigint not null default 0,
        -- Walks in a row that met content which cannot be made into chunks.
        add column failed_walks integer not null default 0
    `.execute(db);
  },
};
