import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where a login was started, as a hash: there the guesses of strangers keep nobody out. */
export const rememberLoginAddress: Migration = {
  async up(db) {
    await sql`alter table gateway.login add column address_hash bytea`.execute(db);
    // In the place of the one on the user alone, which it serves as well.
    await sql`create index login_user_id_address_hash_idx on gateway.login (user_id, address_hash)`.execute(db);
    await sql`drop index gateway.login_user_id_idx`.execute(db);
  },
};
