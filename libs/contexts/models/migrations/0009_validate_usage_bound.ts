import { sql } from 'kysely';
import type { SliceMigration } from '@steward/database';

/**
 * Validates the bound of the ids while others read and write. Rows with ids beyond it, of a clock that was far ahead,
 * must not end the upgrade: they wait in a table of their own until `0010_partition_usage` moves them to the default
 * partition. Meanwhile the bound refuses such ids, so that no row is booked twice.
 */
export const validateUsageBound: SliceMigration = {
  isOnline: true,
  async up(db) {
    await sql`
      do $$
      declare
        bound uuid;
      begin
        alter table models.usage validate constraint usage_bound_check;
      exception when check_violation then
        select substring(pg_get_constraintdef(c.oid) from '''([0-9a-f-]{36})''')::uuid into strict bound
          from pg_constraint c where c.conrelid = 'models.usage'::regclass and c.conname = 'usage_bound_check';
        create table if not exists models.usage_ahead (like models.usage);
        with moved as (delete from models.usage where id >= bound returning *) insert into models.usage_ahead select * from moved;
        alter table models.usage validate constraint usage_bound_check;
      end $$
    `.execute(db);
  },
};
