import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A counter of the changes of an account's catalogue of tools. It is written by a trigger, in the transaction of each
 * change, by any process: a process that sees the same number as before may use the catalogue that it read then.
 * Refreshes that find nothing new do not count.
 */
export const countChanges: Migration = {
  async up(db) {
    await sql`
      create table tool_servers.revision (
        account_id uuid primary key,
        revision bigint not null
      )
    `.execute(db);
    await sql`
      create function tool_servers.count_change() returns trigger language plpgsql as $$
      begin
        insert into tool_servers.revision as r (account_id, revision) values (coalesce(new.account_id, old.account_id), 1)
        on conflict (account_id) do update set revision = r.revision + 1;
        return null;
      end $$
    `.execute(db);
    await sql`
      create trigger server_count_change after insert or delete on tool_servers.server
      for each row execute function tool_servers.count_change()
    `.execute(db);
    await sql`
      create trigger server_count_update after update on tool_servers.server for each row
      when ((old.name, old.is_enabled, old.target_version, old.catalogue_version)
        is distinct from (new.name, new.is_enabled, new.target_version, new.catalogue_version))
      execute function tool_servers.count_change()
    `.execute(db);
    await sql`grant select, insert, update on tool_servers.revision to steward_api_gateway`.execute(db);
  },
};
