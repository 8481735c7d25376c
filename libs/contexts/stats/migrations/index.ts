import type { SliceMigrations } from '@steward/database';
import { grantSchema } from './0001_grant_schema.ts';
import { createRollUp } from './0002_create_roll_up.ts';
import { observeTables } from './0003_observe_tables.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const statsMigrations: SliceMigrations = {
  schema: 'stats',
  migrations: {
    '0001_grant_schema': grantSchema,
    '0002_create_roll_up': createRollUp,
    '0003_observe_tables': observeTables,
  },
};
