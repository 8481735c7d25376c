import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { RESERVE } from './functions/0010_reserve.ts';
import { SETTLE } from './functions/0010_settle.ts';

/**
 * Days, weeks, months and years of a budget begin in its time zone. Hours are always those of UTC: there are no half or
 * repeated ones. Only the database computes periods: two lists of time zones would eventually differ.
 */
export const takeTimeZones: Migration = {
  async up(db) {
    await sql`alter table budgets.budget add column time_zone text not null default 'UTC'`.execute(db);
    await sql`
      create function budgets.first_instant(local timestamp, zone text) returns timestamptz
      language sql stable parallel safe as $$
        -- A time of the clock that is there twice is its first; one that is left out is the moment of the change.
        select coalesce(min(c), local at time zone zone)
        from (select (local at time zone zone) - d as c from unnest('{0,30min,1h,2h}'::interval[]) d) e
        where c at time zone zone = local
      $$
    `.execute(db);
    await sql`
      create function budgets.unit_of(period text) returns text language sql immutable parallel safe as $$
        select case period when 'hourly' then 'hour' when 'daily' then 'day' when 'weekly' then 'week'
          when 'monthly' then 'month' when 'yearly' then 'year' end
      $$
    `.execute(db);
    await sql`
      create function budgets.start_of(period text, at timestamptz, zone text) returns timestamptz
      language sql stable parallel safe as $$
        select case
          when period = 'all_time' then to_timestamp(0)
          when zone = 'UTC' or period = 'hourly' then date_trunc(budgets.unit_of(period), at, 'UTC')
          else budgets.first_instant(date_trunc(budgets.unit_of(period), at at time zone zone), zone)
        end
      $$
    `.execute(db);
    await sql`
      create function budgets.end_of(period text, at timestamptz, zone text) returns timestamptz
      language sql stable parallel safe as $$
        select case
          when period = 'all_time' then null
          when period = 'hourly' then date_trunc('hour', at, 'UTC') + interval '1 hour'
          else budgets.first_instant(
            date_trunc(budgets.unit_of(period), at at time zone zone) + ('1 ' || budgets.unit_of(period))::interval, zone)
        end
      $$
    `.execute(db);
    // It returns one more column.
    await sql`drop function budgets.reserve(uuid, jsonb, timestamptz, timestamptz)`.execute(db);
    await sql.raw(RESERVE).execute(db);
    await sql.raw(SETTLE).execute(db);
    await sql`drop function budgets.start_of(text, timestamptz)`.execute(db);
  },
};
