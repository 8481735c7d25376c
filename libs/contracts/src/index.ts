/**
 * Contracts on which the processes and their clients have to agree: broker messages, the event envelope and the data of
 * each event type (all of these as JSON Schemas, from which their types are derived), error codes and permissions. The
 * package also contains the types of data that contexts pass to each other.
 *
 * Not here: I/O, business rules, row types (each context defines its own). Used by: every context, most apps, many
 * libraries and tools.
 */
export { APP_NAMES, type AppName } from './messages/app-names.ts';
export {
  BROKER_USERS,
  buildInboxPrefix,
  listBrokerPermissions,
  type BrokerPermissions,
  type BrokerUser,
} from './messages/broker-permissions.ts';
export {
  DEAD_LETTER_STREAM,
  DEAD_LETTER_SUBJECT_PREFIX,
  MESSAGES,
  type MessageName,
  type MessagePayload,
} from './messages/catalogue.ts';
export type { ConsumerContract, MessageContract } from './messages/define-message.ts';
export type { HintSink } from './messages/hints.ts';
export type { ChunkWritten } from './messages/chunk-written.ts';
export type { EventEmitted } from './messages/event-emitted.ts';
export type { TriggerAccepted } from './messages/trigger-accepted.ts';
export { DEGRADED_REASONS, type DegradedReason } from './search/degraded-reasons.ts';
export { SEARCH_MODES, type SearchMode } from './search/search-modes.ts';
export {
  isContentKind,
  SESSION_CONTENT_KINDS,
  SOURCE_KINDS,
  type SessionContentKind,
  type SourceKind,
} from './search/source-kinds.ts';
export type { RecordedToolCall } from './sessions/recorded-tool-call.ts';
export { MOST_SESSION_LABELS, SESSION_LABEL } from './sessions/session-label.ts';
export { AppError, type AppErrorOptions } from './errors/app-error.ts';
export { ERROR_CODES, type ErrorCode } from './errors/error-codes.ts';
export { ErrorBodySchema, type ErrorBody } from './errors/error-body.ts';
export {
  existsInEdition,
  KEY_ONLY_PERMISSIONS,
  listSystemRolePermissions,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  SYSTEM_ROLES,
  type Permission,
  type SystemRole,
} from './access/permissions.ts';
export {
  AGENT_KINDS,
  findKeyKind,
  listMostPermissions,
  RESTRICTED_KINDS,
  type RestrictedKind,
} from './access/credential-kinds.ts';
export { CALL_LIMITS, mayCallModel, type CallLimit, type KeyLimits, type ModelLimits } from './access/key-limits.ts';
export { describeKind, refusePermission } from './access/refuse-permission.ts';
export type { PortalScope, Principal } from './access/principal.ts';
export {
  findFreshRevision,
  FRESH_FOR_MS,
  isFresh,
  readFreshRevision,
  withoutRevisions,
  type KnownRevision,
  type Revisions,
} from './access/revisions.ts';
export { AUDIT_RESOURCE_TYPES, type AuditResourceType } from './access/audit-resource-types.ts';
export {
  HOSTED_SERVER_CONTEXT,
  HOSTED_SERVER_HEADER,
  HOSTED_SERVER_LOG_PATH,
  HOSTED_SERVER_PATH,
  HOSTED_SERVER_PROGRAMS_PATH,
  type HostedCommand,
  type HostedServer,
} from './tool-servers/hosted-server.ts';
export { EDITIONS, type Edition } from './access/editions.ts';
export { DELIVERY_CONTRACT, EVENT_HEADERS } from './events/delivery-contract.ts';
export { EVENT_ENVELOPE_VERSION, MAX_EVENT_BYTES, type Envelope, type TruncatedData } from './events/envelope.ts';
export { buildEventSchema, buildExampleEvent } from './events/describe-event.ts';
export {
  EVENT_TYPES,
  isSubscribableEventType,
  SUBSCRIBABLE_EVENT_TYPES,
  type EventData,
  type EventType,
  type SubscribableEventType,
} from './events/event-types.ts';
export type { EvidenceReceipt } from './events/data/flow-execution-finished.ts';
export { SESSION_END_REASONS, type SessionEndReason } from './events/data/session-ended.ts';
export { compileSchema, compileStrictSchema, type FindProblem } from './compile/compile-schema.ts';
export { createAjv } from './compile/create-ajv.ts';
