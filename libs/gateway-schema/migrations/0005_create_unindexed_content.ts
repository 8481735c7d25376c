import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * One row per account that stored content while indexing was off: the corpus has a gap, and the answer of a search must be
 * able to say so. Never deleted; the backfill compares it with the start of its last walk.
 */
export const createUnindexedContent: Migration = {
  async up(db) {
    await sql`
      create table gateway.unindexed_content (
        account_id uuid primary key,
        -- When something was last stored without being indexed, by the database's clock.
        last_stored_at timestamptz(3) not null,
        -- Time of the newest content that was not indexed when it was stored.
        latest_occurred_at timestamptz(3) not null
      )
    `.execute(db);
    await sql`
      grant select, insert, update on gateway.unindexed_content to steward_api_gateway, steward_flow_trigger
    `.execute(db);
    await sql`grant select on gateway.unindexed_content to steward_backfill_sweeper`.execute(db);
  },
};
