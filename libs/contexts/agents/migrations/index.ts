import type { SliceMigrations } from '@steward/database';
import { grantSchema } from './0001_grant_schema.ts';
import { createAgent } from './0002_create_agent.ts';
import { createDiscovery } from './0003_create_discovery.ts';
import { noteActivity } from './0004_note_activity.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const agentsMigrations: SliceMigrations = {
  schema: 'agents',
  migrations: {
    '0001_grant_schema': grantSchema,
    '0002_create_agent': createAgent,
    '0003_create_discovery': createDiscovery,
    '0004_note_activity': noteActivity,
  },
};
