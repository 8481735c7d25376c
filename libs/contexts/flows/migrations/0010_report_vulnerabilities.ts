import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Reporting setting of a flow, and of an execution the setting at its trigger: changing a flow does not affect a
 * running execution. Null: nothing is reported. The functions for workers return both.
 */
export const reportVulnerabilities: Migration = {
  async up(db) {
    await sql`alter table flows.flow add column reporting json`.execute(db);
    await sql`alter table flows.execution add column reporting json`.execute(db);
  },
};
