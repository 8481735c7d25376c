import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A counter of the changes of an account's trackers. It is written by a trigger, in the transaction of each change, by
 * any process: a process that sees the same number as before may use the trackers that it read then.
 */
export const countChanges: Migration = {
  async up(db) {
    await sql`
      create table trackers.revision (
        account_id uuid primary key,
        revision bigint not null
      )
    `.execute(db);
    await sql`
      create function trackers.count_change() returns trigger language plpgsql as $$
      begin
        insert into trackers.revision as r (account_id, revision) values (coalesce(new.account_id, old.account_id), 1)
        on conflict (account_id) do update set revision = r.revision + 1;
        return null;
      end $$
    `.execute(db);
    await sql`
      create trigger tracker_count_change after insert or update or delete on trackers.tracker
      for each row execute function trackers.count_change()
    `.execute(db);
    await sql`grant select, insert, update on trackers.revision to steward_api_gateway`.execute(db);
  },
};
