import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A flow worker records what the session of its leased execution contained, and cannot read rows of other sessions. */
export const confineSightings: Migration = {
  async up(db) {
    await sql`grant select, insert on search.credential_key to steward_flow_trigger`.execute(db);
    await sql`grant select, insert, update, delete on search.credential_sighting to steward_flow_trigger`.execute(db);
    for (const table of ['credential_key', 'credential_sighting']) {
      await sql`alter table ${sql.id('search', table)} enable row level security`.execute(db);
      await sql`create policy granted on ${sql.id('search', table)} using (true)`.execute(db);
    }
    await sql`
      create policy leased on search.credential_key as restrictive to steward_flow_trigger
      using (account_id = (select l.account_id from gateway.leased() l))
    `.execute(db);
    await sql`
      create policy leased on search.credential_sighting as restrictive to steward_flow_trigger
      using ((account_id, runtime_session_id) = (select l.account_id, l.session_id from gateway.leased() l))
    `.execute(db);
  },
};
