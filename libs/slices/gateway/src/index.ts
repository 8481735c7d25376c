/**
 * Gateway slice: accounts, users, roles, API keys, the audit log (identity) and runtime sessions with their content
 * (sessions).
 *
 * Not here: HTTP, the search corpus, the outbox (their slices are called inside the caller's transaction).
 * Used by: api-gateway; flow-trigger opens, fills and closes sessions; backfill-sweeper reads history.
 */
export { gatewayMigrations } from '../migrations/index.ts';

export { authenticateCredential } from './identity/operations/authenticate.ts';
export type { AuthenticatedCaller } from './identity/operations/authenticate.ts';
export { createApiKey, listApiKeys, revokeApiKey } from './identity/operations/api-keys.ts';
export type { ApiKey } from './identity/operations/api-keys.ts';
export { issueExecutionToken, revokeExecutionTokens } from './identity/operations/execution-token.ts';
export type { NewExecutionToken } from './identity/operations/execution-token.ts';
export { buildAuditInsert } from './identity/operations/audit-insert.ts';
export { listAuditLog, prepareAudit, recordAudit, recordAudits } from './identity/operations/audit.ts';
export type { AuditEntry, AuditFilter, PreparedAudit } from './identity/operations/audit.ts';
export { findUserOfRefreshToken, issueTokens, login } from './identity/operations/login.ts';
export type { LoginOutcome } from './identity/operations/login.ts';
export { createRole, listRoles } from './identity/operations/manage-roles.ts';
export type { Role } from './identity/operations/manage-roles.ts';
export { listAccountIds } from './identity/operations/list-account-ids.ts';
export { createUser, findUser, listUsers, registerAccount, updateUser } from './identity/operations/manage-users.ts';
export type { CreateUserOutcome } from './identity/operations/manage-users.ts';
export { createTokenSigner } from './identity/rules/access-token.ts';
export type { TokenSigner } from './identity/rules/access-token.ts';
export type { AuditLogRow } from './identity/schema.ts';
export { purgeLoginFailures } from './identity/store/login-failure.store.ts';
export type { User } from './identity/user.ts';

export { appendSessionContent } from './sessions/operations/append-session-content.ts';
export type { AppendSessionContentOutcome, StoredContent } from './sessions/operations/append-session-content.ts';
export { endIdleSessions, endRuntimeSession } from './sessions/operations/end-runtime-session.ts';
export type { EndRuntimeSessionOutcome } from './sessions/operations/end-runtime-session.ts';
export { listSessionChunkSources } from './sessions/operations/list-chunk-sources.ts';
export type { ChunkSourcePage } from './sessions/operations/list-chunk-sources.ts';
export { listSessionTimeline } from './sessions/operations/list-session-timeline.ts';
export {
  findRuntimeSessionsByIdentifier,
  listRuntimeSessions,
  readRuntimeSession,
  readSessionHeadings,
} from './sessions/operations/read-runtime-sessions.ts';
export { sendOperatorNote } from './sessions/operations/send-operator-note.ts';
export type { NoteAuthor, OperatorNote } from './sessions/operations/send-operator-note.ts';
export { generateTitles, storeSessionTitles } from './sessions/operations/title-sessions.ts';
export { updateRuntimeSession } from './sessions/operations/update-runtime-session.ts';
export { upsertRuntimeSession } from './sessions/operations/upsert-runtime-session.ts';
export { findLatestActivityBefore } from './sessions/store/find-session.store.ts';
export type { SessionHeading } from './sessions/store/find-session.store.ts';
export { findUnindexedContent, selectUnindexedContent } from './sessions/store/unindexed-content.store.ts';
export type { UnindexedContent } from './sessions/store/unindexed-content.store.ts';
export { builtInTitleGenerator } from './sessions/rules/session-title.ts';
export type { TitleGenerator } from './sessions/rules/session-title.ts';
export type { RuntimeSession, SessionWriteOptions } from './sessions/runtime-session.ts';
export { SESSION_CONTENT_KINDS } from './sessions/session-content.ts';
export type { SessionContent, SessionContentEntry, SessionContentKind } from './sessions/session-content.ts';
export { sessionWriteSettings, toSessionWriteOptions } from './sessions/session-write-settings.ts';
