import { sql } from 'kysely';
import type { SliceMigration } from '@steward/database';

export const validateEndpointSource: SliceMigration = {
  isOnline: true,
  async up(db) {
    await sql`alter table webhooks.endpoint validate constraint endpoint_source_check`.execute(db);
  },
};
