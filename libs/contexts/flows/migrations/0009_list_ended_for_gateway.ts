import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The gateway withdraws approvals of ended executions. */
export const listEndedForGateway: Migration = {
  async up(db) {
    await sql`grant execute on function flows.list_ended(uuid[]) to steward_api_gateway`.execute(db);
  },
};
