import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which trace an execution belongs to (ADR 0034); null of those that are there. The functions of the worker answer it as well. */
export const carryTrace: Migration = {
  async up(db) {
    await sql`alter table flows.execution add column traceparent text`.execute(db);
  },
};
