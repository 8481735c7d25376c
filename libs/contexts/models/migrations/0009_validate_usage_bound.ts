import { sql } from 'kysely';
import type { SliceMigration } from '@steward/database';

export const validateUsageBound: SliceMigration = {
  isOnline: true,
  async up(db) {
    await sql`alter table models.usage validate constraint usage_bound_check`.execute(db);
  },
};
