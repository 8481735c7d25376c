import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The origin of an endpoint is stored in plaintext, the whole address sealed. A plaintext address was stored by an
 * earlier release: the gateway, which has the key, moves it. Flow workers read neither, as before.
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
    // An index of the rows whose address is not sealed yet; it is empty once all are sealed. Mail has no address.
    await sql`
      create index endpoint_in_clear on webhooks.endpoint (id) where url is not null and source <> 'mail'
    `.execute(db);
  },
};
