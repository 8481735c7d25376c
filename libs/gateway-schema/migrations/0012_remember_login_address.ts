import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stores a hash of the address of a login: from a known address, failed logins of strangers lock nobody out. */
export const rememberLoginAddress: Migration = {
  async up(db) {
    await sql`alter table gateway.login add column address_hash bytea`.execute(db);
    // Replaces the index on the user alone, whose queries it serves as well.
    await sql`create index login_user_id_address_hash_idx on gateway.login (user_id, address_hash)`.execute(db);
    await sql`drop index gateway.login_user_id_idx`.execute(db);
  },
};
