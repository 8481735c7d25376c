import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Coverage of a walk, for search responses, and so that the next walk need not read the same again. */
export const trackCoverage: Migration = {
  async up(db) {
    await sql`
      alter table backfill.watermark
        -- Everything stored before this moment is indexed once the walk is through.
        add column walk_started_at timestamptz(3) not null default now(),
        -- Everything stored before this moment is indexed: the start of the last walk that came through.
        add column covered_until timestamptz(3),
        -- Content of this time or later is indexed, of what was stored before the walk; null when all is.
        add column indexed_from timestamptz(3)
    `.execute(db);
    await sql`alter table backfill.watermark alter column walk_started_at drop default`.execute(db);
  },
};
