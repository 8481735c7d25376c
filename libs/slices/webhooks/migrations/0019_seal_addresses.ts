import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Where an endpoint leads stands in clear, the rest of its address sealed. An address in clear is one that a release before
 * stored: the gateway, which has the key, moves it. Workers of flows read neither, as before.
 */
export const sealAddresses: Migration = {
  async up(db) {
    await sql`
      alter table webhooks.endpoint
        alter column url drop not null,
        -- Sealed for this endpoint.
        add column url_sealed bytea,
        add column origin text,
        add constraint endpoint_address_check
          check (url is not null or (url_sealed is not null and origin is not null))
    `.execute(db);
    // What is left to be sealed: empty once it is done. The address of mail is none.
    await sql`
      create index endpoint_in_clear on webhooks.endpoint (id) where url is not null and source <> 'mail'
    `.execute(db);
  },
};
