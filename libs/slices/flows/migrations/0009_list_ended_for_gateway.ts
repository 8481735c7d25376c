import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Approvals of executions that ended are withdrawn by the gateway. */
export const listEndedForGateway: Migration = {
  async up(db) {
    await sql`grant execute on function flows.list_ended(uuid[]) to steward_api_gateway`.execute(db);
  },
};
