import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Trace of an execution (ADR 0034); null for existing rows. The functions for workers return it as well. */
export const carryTrace: Migration = {
  async up(db) {
    await sql`alter table flows.execution add column traceparent text`.execute(db);
  },
};
