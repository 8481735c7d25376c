import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds one row per account that stored content while indexing was disabled: the corpus has a gap, which search
 * responses must report. Never deleted; the backfill compares it with the start of its last run.
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
