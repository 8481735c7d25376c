import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A worker asks which folders on its machine belong to ended executions; it learns nothing else about them. */
export const listEnded: Migration = {
  async up(db) {
    await sql`
      create function flows.list_ended(executions uuid[]) returns setof uuid
      language sql stable security definer set search_path = pg_catalog, pg_temp as $$
        select e.id from flows.execution e where e.id = any (executions) and e.finished_at is not null
      $$
    `.execute(db);
    await sql`revoke all on function flows.list_ended(uuid[]) from public`.execute(db);
    await sql`grant execute on function flows.list_ended(uuid[]) to steward_flow_trigger`.execute(db);
  },
};
