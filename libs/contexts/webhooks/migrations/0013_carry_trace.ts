import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Traces of events, deliveries and recoveries (ADR 0034); null for existing rows, so that no row is rewritten. */
export const carryTrace: Migration = {
  async up(db) {
    for (const table of ['event', 'delivery', 'delivery_done', 'recovery_job'])
      await sql`alter table ${sql.id('webhooks', table)} add column traceparent text`.execute(db);
  },
};
