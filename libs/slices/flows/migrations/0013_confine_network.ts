import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What the programs of a flow reach besides the API. Flows from before reached the whole internet and go on to: `*` names public
 * hosts, the networks of the operator have to be named. A new flow reaches nothing.
 */
export const confineNetwork: Migration = {
  async up(db) {
    await sql`alter table flows.flow add column network_allow text[] not null default '{*}'`.execute(db);
    await sql`alter table flows.flow alter column network_allow set default '{}'`.execute(db);
    await sql`alter table flows.flow add column network_secrets json`.execute(db);
  },
};
