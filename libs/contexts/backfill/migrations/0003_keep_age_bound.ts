import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Age bound of a walk, so that a wider bound is noticed and the next walk continues where that one ended. */
export const keepAgeBound: Migration = {
  async up(db) {
    await sql`
      alter table backfill.watermark
        -- Sessions that started before were never walked, by the last walk that came through; null when it had no bound.
        add column walked_since timestamptz(3)
    `.execute(db);
    // The bound of earlier walks was not stored: accounts whose old content was omitted are walked again.
    await sql`
      update backfill.watermark set walked_since = covered_until
      where covered_until is not null and (state = 'in_progress' or indexed_from is not null)
    `.execute(db);
  },
};
