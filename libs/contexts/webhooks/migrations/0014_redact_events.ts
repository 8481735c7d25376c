import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

/** The sweeper removes the content of a deleted session from events, and sees nothing else of this slice. */
export const redactEvents: Migration = {
  async up(db) {
    const sweeper = sql.raw(APP_ROLES.backfillSweeper);
    await sql`grant usage on schema webhooks to ${sweeper}`.execute(db);
    await sql`grant select on webhooks.schema_migration to ${sweeper}`.execute(db);
    await sql`
      grant select (account_id, id, type, occurred_at), update (body, truncated) on webhooks.event to ${sweeper}
    `.execute(db);
  },
};
