import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Bounds the ids of usage rows: the table becomes the partition of the ids below the bound, which `0010_partition_usage`
 * reads from this constraint. The bound is the first id of a month that begins in two to three months, so that rows are
 * accepted however long the following steps wait for the table. Existing rows are checked in the next step.
 */
export const boundUsage: Migration = {
  async up(db) {
    await sql`
      do $$
      declare
        month timestamptz := date_trunc('month', now() at time zone 'UTC' + interval '3 months') at time zone 'UTC';
        millis text := lpad(to_hex((extract(epoch from month) * 1000)::bigint), 12, '0');
      begin
        execute format('alter table models.usage add constraint usage_bound_check check (id < %L::uuid) not valid',
          (millis || '70008000000000000000')::uuid);
      end $$
    `.execute(db);
  },
};
