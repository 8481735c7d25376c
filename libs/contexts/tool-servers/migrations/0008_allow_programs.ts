import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tool servers that are programs: their address is the command, sealed as any address. */
export const allowPrograms: Migration = {
  async up(db) {
    await sql`
      alter table tool_servers.server
        drop constraint server_transport_check,
        add constraint server_transport_check check (transport in ('streamable_http', 'stdio'))
    `.execute(db);
  },
};
