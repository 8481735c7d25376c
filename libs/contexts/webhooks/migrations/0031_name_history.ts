import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

/**
 * Names the history of this database: a restore to a point in time and a failover begin another one, which may give
 * the numbers of former transactions to other ones. Null where the server does not tell it.
 */
export const nameHistory: Migration = {
  async up(db) {
    await sql`
      create function webhooks.history() returns text
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
      begin
        return (
          select left(md5(s.system_identifier::text), 8) || '.'
            || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint
          from pg_control_system() s
        );
      exception when others then
        return null;
      end $$
    `.execute(db);
    await sql`revoke all on function webhooks.history() from public`.execute(db);
    await sql`grant execute on function webhooks.history() to ${sql.raw(APP_ROLES.apiGateway)}`.execute(db);
  },
};
