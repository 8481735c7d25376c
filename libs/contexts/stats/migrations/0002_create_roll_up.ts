import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Facts and their sums. A fact is written to `pending` in the transaction of the counted row, and is moved into the
 * sums by one statement: at any time it is in exactly one of the two.
 */
export const createRollUp: Migration = {
  async up(db) {
    await sql`
      create table stats.pending (
        id bigint generated always as identity primary key,
        account_id uuid not null,
        source text not null,
        at timestamptz(3) not null,
        -- Name of a grouping -> key in it; null for none.
        keys jsonb not null,
        -- Negative: takes back a fact that was counted before.
        count integer not null,
        failed integer not null default 0,
        amount numeric(24, 12) not null default 0,
        input bigint not null default 0,
        output bigint not null default 0,
        -- Place of a duration in the histogram; 0 without one.
        bin smallint not null default 0
      ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)
    `.execute(db);
    await sql`create index pending_time on stats.pending (account_id, source, at)`.execute(db);
    // Facts of the last day that are summed up, for steps that are shorter than those of the sums.
    await sql`create table stats.recent (like stats.pending including defaults)`.execute(db);
    await sql`create index recent_time on stats.recent (account_id, source, at)`.execute(db);
    await sql`create index recent_age on stats.recent using brin (at)`.execute(db);
    await sql`
      create table stats.roll_up (
        account_id uuid not null,
        source text not null,
        -- Empty: all facts of the source, under the empty key.
        dimension text not null,
        -- In seconds: hours, and quarters of them for time zones that are not whole hours from UTC.
        step smallint not null constraint roll_up_step_check check (step in (900, 3600)),
        at timestamptz(3) not null,
        key text not null,
        bin smallint not null,
        count bigint not null,
        failed bigint not null,
        amount numeric not null,
        input bigint not null,
        output bigint not null,
        primary key (account_id, source, dimension, step, at, key, bin)
      ) with (fillfactor = 80)
    `.execute(db);
    await sql`create index roll_up_age on stats.roll_up using brin (at)`.execute(db);
    // Bins grow by a fifth: a percentile is right to 10 percent.
    await sql`
      create function stats.bin(milliseconds double precision) returns smallint language sql immutable strict parallel safe as $$
        select case when milliseconds < 1 then 1 else 2 + floor(ln(least(milliseconds, 1e12)) / ln(1.2)) end::smallint
      $$
    `.execute(db);
    // Updates lock the rows that are moved.
    await sql`grant select, update, delete on stats.pending to steward_api_gateway`.execute(db);
    await sql`grant select, insert, delete on stats.recent to steward_api_gateway`.execute(db);
    await sql`grant select, insert, update, delete on stats.roll_up to steward_api_gateway`.execute(db);
  },
};
