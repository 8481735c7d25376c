import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which trace events, deliveries and recoveries belong to (ADR 0034); null of those that are there: no row is rewritten. */
export const carryTrace: Migration = {
  async up(db) {
    for (const table of ['event', 'delivery', 'delivery_done', 'recovery_job'])
      await sql`alter table ${sql.id('webhooks', table)} add column traceparent text`.execute(db);
  },
};
