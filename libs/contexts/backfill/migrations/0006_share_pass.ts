import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The row limit of an interval is shared by all sweepers of a deployment. */
export const sharePass: Migration = {
  async up(db) {
    await sql`
      create table backfill.pass (
        -- There is one.
        id smallint primary key default 1 constraint pass_id_check check (id = 1),
        -- When the first of them began it, by the database's clock.
        began_at timestamptz(3) not null,
        -- Written since then, by whichever of them.
        rows bigint not null
      )
    `.execute(db);
    await sql`insert into backfill.pass (began_at, rows) values ('epoch', 0)`.execute(db);
    await sql`grant select, update on backfill.pass to steward_backfill_sweeper`.execute(db);
  },
};
