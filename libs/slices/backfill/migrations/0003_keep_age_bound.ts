import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How far back a walk went, so that one with a wider age bound is noticed and takes up where that one ended. */
export const keepAgeBound: Migration = {
  async up(db) {
    await sql`
      alter table backfill.watermark
        -- Sessions that started before were never walked, by the last walk that came through; null when it had no bound.
        add column walked_since timestamptz(3)
    `.execute(db);
    // Nobody kept the bound of those before: where something old was left, it is looked through once more.
    await sql`
      update backfill.watermark set walked_since = covered_until
      where covered_until is not null and (state = 'in_progress' or indexed_from is not null)
    `.execute(db);
  },
};
