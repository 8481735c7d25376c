import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** All roles may read connections to trackers; these roles create and change them (ACC-21). */
const MANAGERS = ['owner', 'admin', 'tracker_manager'];

export const addTrackerPermissions: Migration = {
  async up(db) {
    await sql`
      update gateway.role
      set permissions = array(select distinct one from unnest(permissions ||
        case when name = any(${MANAGERS}::text[]) then array['view_trackers', 'manage_trackers'] else array['view_trackers'] end
      ) one order by one)
      where account_id is null
    `.execute(db);
  },
};
