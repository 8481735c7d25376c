import type { SliceMigrations } from '@steward/database';
import { createIdentity } from './0001_create_identity.ts';
import { createAuditLog } from './0002_create_audit_log.ts';
import { createRuntimeSession } from './0003_create_runtime_session.ts';
import { createSessionContent } from './0004_create_session_content.ts';
import { createUnindexedContent } from './0005_create_unindexed_content.ts';
import { createExecutionToken } from './0006_create_execution_token.ts';

/** Listed by hand: the apps are bundled, so nothing can be read from a folder at run time. */
export const gatewayMigrations: SliceMigrations = {
  schema: 'gateway',
  migrations: {
    '0001_create_identity': createIdentity,
    '0002_create_audit_log': createAuditLog,
    '0003_create_runtime_session': createRuntimeSession,
    '0004_create_session_content': createSessionContent,
    '0005_create_unindexed_content': createUnindexedContent,
    '0006_create_execution_token': createExecutionToken,
  },
};
