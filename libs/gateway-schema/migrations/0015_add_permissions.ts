import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Permissions of the system roles for models, cost, the kill switch and discovery, from this release on (ACC-21). */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  owner: ['view_ai_models', 'manage_ai_models', 'view_cost', 'manage_kill_switch', 'report_discovery'],
  admin: ['view_ai_models', 'manage_ai_models', 'view_cost', 'manage_kill_switch', 'report_discovery'],
  editor: ['view_ai_models', 'manage_ai_models', 'view_cost', 'report_discovery'],
  executor: ['view_ai_models', 'report_discovery'],
  tracker_manager: ['view_ai_models'],
  analyst: ['view_ai_models', 'view_cost'],
  viewer: ['view_ai_models', 'view_cost'],
};

export const addPermissions: Migration = {
  async up(db) {
    for (const [name, added] of Object.entries(ADDED)) {
      await sql`
        update gateway.role
        set permissions = array(select distinct one from unnest(permissions || ${[...added]}::text[]) one order by one)
        where account_id is null and name = ${name}
      `.execute(db);
    }
  },
};
