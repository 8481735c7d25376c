import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The quota of keys counts unrevoked ones; revoked ones stay for the audit log, however many they are. */
export const indexLiveKeys: Migration = {
  async up(db) {
    await sql`create index api_key_live_index on gateway.api_key (account_id) where revoked_at is null`.execute(db);
  },
};
