import { sql } from 'kysely';
import type { SliceMigration } from '@steward/database';

export const validatePush: SliceMigration = {
  isOnline: true,
  async up(db) {
    await sql`
      alter table webhooks.endpoint
        validate constraint endpoint_source_check, validate constraint endpoint_channel_kind_check
    `.execute(db);
  },
};
