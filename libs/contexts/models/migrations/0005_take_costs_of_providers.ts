import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The cost of a call may come from its provider. */
export const takeCostsOfProviders: Migration = {
  async up(db) {
    await sql`
      alter table models.usage
        drop constraint usage_price_source_check,
        add constraint usage_price_source_check check (price_source in ('catalogue', 'custom', 'provider', 'unknown'))
    `.execute(db);
  },
};
