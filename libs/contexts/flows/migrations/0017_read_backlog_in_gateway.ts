import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The gateway shows operators how many executions wait, without a worker's metrics. */
export const readBacklogInGateway: Migration = {
  async up(db) {
    await sql.raw('grant execute on function flows.backlog() to steward_api_gateway').execute(db);
  },
};
