import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The origin of a server is stored in plaintext, the whole address sealed. A plaintext address was stored by an earlier
 * release: the gateway, which has the key, moves it.
 */
export const sealAddresses: Migration = {
  async up(db) {
    await sql`
      alter table tool_servers.server
        alter column url drop not null,
        -- Sealed for this server, and as another thing than its headers.
        add column url_sealed bytea,
        add column origin text,
        add constraint server_address_check
          check (url is not null or (url_sealed is not null and origin is not null))
    `.execute(db);
  },
};
