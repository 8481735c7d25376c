import type { SliceMigrations } from '@steward/database';
import { grantSchema } from './0001_grant_schema.ts';
import { createServer } from './0002_create_server.ts';
import { createTool } from './0003_create_tool.ts';
import { sealAddresses } from './0004_seal_addresses.ts';
import { keepDefinitionText } from './0005_keep_definition_text.ts';
import { createSubscription } from './0006_create_subscription.ts';
import { createLogin } from './0007_create_login.ts';
import { allowPrograms } from './0008_allow_programs.ts';
import { countChanges } from './0009_count_changes.ts';
import { noteCallerChange } from './0010_note_caller_change.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const toolServersMigrations: SliceMigrations = {
  schema: 'tool_servers',
  migrations: {
    '0001_grant_schema': grantSchema,
    '0002_create_server': createServer,
    '0003_create_tool': createTool,
    '0004_seal_addresses': sealAddresses,
    '0005_keep_definition_text': keepDefinitionText,
    '0006_create_subscription': createSubscription,
    '0007_create_login': createLogin,
    '0008_allow_programs': allowPrograms,
    '0009_count_changes': countChanges,
    '0010_note_caller_change': noteCallerChange,
  },
};
