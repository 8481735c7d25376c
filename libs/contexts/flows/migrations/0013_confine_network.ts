import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Network access of a flow's programs besides the API. Existing flows reached the whole internet and still do: `*`
 * names public hosts, while the operator's networks have to be named. A new flow reaches nothing.
 */
export const confineNetwork: Migration = {
  async up(db) {
    await sql`alter table flows.flow add column network_allow text[] not null default '{*}'`.execute(db);
    await sql`alter table flows.flow alter column network_allow set default '{}'`.execute(db);
    await sql`alter table flows.flow add column network_secrets json`.execute(db);
  },
};
