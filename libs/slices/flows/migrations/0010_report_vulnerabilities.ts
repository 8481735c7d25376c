import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What a flow's results are reported as, and of an execution what its flow said when it was triggered: a flow that is changed
 * while it runs changes nothing about a run. Null: nothing is reported. The functions of the worker answer both.
 */
export const reportVulnerabilities: Migration = {
  async up(db) {
    await sql`alter table flows.flow add column reporting json`.execute(db);
    await sql`alter table flows.execution add column reporting json`.execute(db);
  },
};
