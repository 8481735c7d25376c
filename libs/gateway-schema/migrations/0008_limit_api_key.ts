import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A key that another key created is revoked with it; `scopes` distinguishes "all of the owner's" (null) from "none"
 * (empty).
 */
export const limitApiKey: Migration = {
  async up(db) {
    await sql`alter table gateway.api_key alter column scopes drop not null`.execute(db);
    await sql`update gateway.api_key set scopes = null where scopes = '{}'`.execute(db);
    await sql`
      alter table gateway.api_key
        -- The keys it was made by, outermost first. Asked at each use: a revocation and the making of a child may cross.
        add column ancestor_ids uuid[] not null default '{}',
        add constraint api_key_ancestor_ids_check check (cardinality(ancestor_ids) <= 8)
    `.execute(db);
  },
};
