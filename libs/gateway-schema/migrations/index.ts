/**
 * Gateway schema: the migrations of the Postgres schema `gateway`, one sequence for the tables of three slices
 * (identity, audit, sessions); only these contexts contain SQL statements for them. Not here: row types (in each
 * context), tables of other schemas (in their contexts). Used by: the migrations lib, and each app that checks at its
 * start whether the schema matches.
 */
import type { SliceMigrations } from '@steward/database';
import { createIdentity } from './0001_create_identity.ts';
import { createAuditLog } from './0002_create_audit_log.ts';
import { createRuntimeSession } from './0003_create_runtime_session.ts';
import { createSessionContent } from './0004_create_session_content.ts';
import { createUnindexedContent } from './0005_create_unindexed_content.ts';
import { createExecutionToken } from './0006_create_execution_token.ts';
import { createLogin } from './0007_create_login.ts';
import { limitApiKey } from './0008_limit_api_key.ts';
import { verifyRuntimePrincipal } from './0009_verify_runtime_principal.ts';
import { mintExecutionToken } from './0010_mint_execution_token.ts';
import { confineWorker } from './0011_confine_worker.ts';
import { rememberLoginAddress } from './0012_remember_login_address.ts';
import { indexLiveKeys } from './0013_index_live_keys.ts';
import { labelSession } from './0014_label_session.ts';
import { addPermissions } from './0015_add_permissions.ts';
import { deleteSession } from './0016_delete_session.ts';
import { createDeletionJob } from './0017_create_deletion_job.ts';
import { indexToolCalls } from './0018_index_tool_calls.ts';
import { countUnindexedContent } from './0019_count_unindexed_content.ts';
import { indexTracedContent } from './0020_index_traced_content.ts';
import { deliverNotes } from './0021_deliver_notes.ts';
import { createKillSwitch } from './0022_create_kill_switch.ts';
import { deleteRole } from './0023_delete_role.ts';
import { describeLogin } from './0024_describe_login.ts';
import { suspendApiKey } from './0025_suspend_api_key.ts';
import { countReads } from './0026_count_reads.ts';
import { hideAddresses } from './0027_hide_addresses.ts';
import { tellImportedTitles } from './0028_tell_imported_titles.ts';
import { countTokens } from './0029_count_tokens.ts';
import { limitApiKeys } from './0030_limit_api_keys.ts';
import { addTrackerPermissions } from './0031_add_tracker_permissions.ts';
import { tellCopies } from './0032_tell_copies.ts';
import { askForTitles } from './0033_ask_for_titles.ts';
import { sealAudits } from './0034_seal_audits.ts';
import { queueAudits } from './0035_queue_audits.ts';
import { pruneAudits } from './0036_prune_audits.ts';
import { indexSeals } from './0037_index_seals.ts';
import { exportAudits } from './0038_export_audits.ts';
import { moveContent } from './0039_move_content.ts';
import { indexLargeContent } from './0040_index_large_content.ts';
import { validateStoredContent } from './0041_validate_stored_content.ts';
import { leaseCallers } from './0042_lease_callers.ts';

/** Migrations of this schema, listed by hand: the apps are bundled, so no folder can be read at run time. */
export const gatewayMigrations: SliceMigrations = {
  schema: 'gateway',
  migrations: {
    '0001_create_identity': createIdentity,
    '0002_create_audit_log': createAuditLog,
    '0003_create_runtime_session': createRuntimeSession,
    '0004_create_session_content': createSessionContent,
    '0005_create_unindexed_content': createUnindexedContent,
    '0006_create_execution_token': createExecutionToken,
    '0007_create_login': createLogin,
    '0008_limit_api_key': limitApiKey,
    '0009_verify_runtime_principal': verifyRuntimePrincipal,
    '0010_mint_execution_token': mintExecutionToken,
    '0011_confine_worker': confineWorker,
    '0012_remember_login_address': rememberLoginAddress,
    '0013_index_live_keys': indexLiveKeys,
    '0014_label_session': labelSession,
    '0015_add_permissions': addPermissions,
    '0016_delete_session': deleteSession,
    '0017_create_deletion_job': createDeletionJob,
    '0018_index_tool_calls': indexToolCalls,
    '0019_count_unindexed_content': countUnindexedContent,
    '0020_index_traced_content': indexTracedContent,
    '0021_deliver_notes': deliverNotes,
    '0022_create_kill_switch': createKillSwitch,
    '0023_delete_role': deleteRole,
    '0024_describe_login': describeLogin,
    '0025_suspend_api_key': suspendApiKey,
    '0026_count_reads': countReads,
    '0027_hide_addresses': hideAddresses,
    '0028_tell_imported_titles': tellImportedTitles,
    '0029_count_tokens': countTokens,
    '0030_limit_api_keys': limitApiKeys,
    '0031_add_tracker_permissions': addTrackerPermissions,
    '0032_tell_copies': tellCopies,
    '0033_ask_for_titles': askForTitles,
    '0034_seal_audits': sealAudits,
    '0035_queue_audits': queueAudits,
    '0036_prune_audits': pruneAudits,
    '0037_index_seals': indexSeals,
    '0038_export_audits': exportAudits,
    '0039_move_content': moveContent,
    '0040_index_large_content': indexLargeContent,
    '0041_validate_stored_content': validateStoredContent,
    '0042_lease_callers': leaseCallers,
  },
};
