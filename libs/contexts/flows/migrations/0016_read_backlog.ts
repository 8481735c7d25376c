import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const BACKLOG = `
  create function flows.backlog(out waiting bigint, out running bigint, out oldest_waiting_seconds double precision)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select
      (select count(*) from flows.execution e where e.status = 'PENDING'),
      (select count(*) from flows.execution e where e.status in ('INITIALIZING', 'RUNNING')),
      coalesce((select extract(epoch from clock_timestamp() - min(e.created_at))::double precision
        from flows.execution e where e.status = 'PENDING'), 0)
  $$`;

/**
 * Counts the waiting and running executions of all accounts, for the gauges of workers and for KEDA, which scales the
 * workers. A function does it, because workers cannot read the tables of this schema.
 */
export const readBacklog: Migration = {
  async up(db) {
    await sql.raw(BACKLOG).execute(db);
    await sql.raw('revoke all on function flows.backlog() from public').execute(db);
    await sql.raw('grant execute on function flows.backlog() to steward_flow_trigger').execute(db);
  },
};
