/**
 * Contracts: everything that crosses a process line, as JSON Schema first with types derived from it: broker messages,
 * the event envelope and the data of each event type, error codes, permissions.
 *
 * Not here: any I/O, any business rule, row types (each slice owns its own).
 * Used by: every app, every slice, the tools that generate documents.
 */
export { APP_NAMES } from './messages/app-names.ts';
export type { AppName } from './messages/app-names.ts';
export { BROKER_USERS, buildInboxPrefix, listBrokerPermissions } from './messages/broker-permissions.ts';
export type { BrokerPermissions, BrokerUser } from './messages/broker-permissions.ts';
export { DEAD_LETTER_STREAM, DEAD_LETTER_SUBJECT_PREFIX, MESSAGES } from './messages/catalogue.ts';
export type { MessageName, MessagePayload } from './messages/catalogue.ts';
export type { ConsumerContract, MessageContract } from './messages/define-message.ts';
export type { HintSink } from './messages/hints.ts';
export type { ChunkWritten } from './messages/chunk-written.ts';
export type { EventEmitted } from './messages/event-emitted.ts';
export type { TriggerAccepted } from './messages/trigger-accepted.ts';
export { DEGRADED_REASONS } from './search/degraded-reasons.ts';
export type { DegradedReason } from './search/degraded-reasons.ts';
export { SEARCH_MODES } from './search/search-modes.ts';
export type { SearchMode } from './search/search-modes.ts';
export { isContentKind, SESSION_CONTENT_KINDS, SOURCE_KINDS } from './search/source-kinds.ts';
export type { SessionContentKind, SourceKind } from './search/source-kinds.ts';
export { MOST_SESSION_LABELS, SESSION_LABEL } from './sessions/session-label.ts';
export { AppError } from './errors/app-error.ts';
export type { AppErrorOptions } from './errors/app-error.ts';
export { ERROR_CODES } from './errors/error-codes.ts';
export type { ErrorCode } from './errors/error-codes.ts';
export { ErrorBodySchema } from './errors/error-body.ts';
export type { ErrorBody } from './errors/error-body.ts';
export {
  existsInEdition,
  KEY_ONLY_PERMISSIONS,
  listSystemRolePermissions,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  SYSTEM_ROLES,
} from './access/permissions.ts';
export type { Permission, SystemRole } from './access/permissions.ts';
export type { Principal } from './access/principal.ts';
export { EDITIONS } from './access/editions.ts';
export type { Edition } from './access/editions.ts';
export { DELIVERY_CONTRACT, EVENT_HEADERS } from './events/delivery-contract.ts';
export { EVENT_ENVELOPE_VERSION, MAX_EVENT_BYTES } from './events/envelope.ts';
export type { Envelope, TruncatedData } from './events/envelope.ts';
export { buildEventSchema, buildExampleEvent } from './events/describe-event.ts';
export { EVENT_TYPES, isSubscribableEventType, SUBSCRIBABLE_EVENT_TYPES } from './events/event-types.ts';
export type { EventData, EventType, SubscribableEventType } from './events/event-types.ts';
export type { EvidenceReceipt } from './events/data/flow-execution-finished.ts';
export { SESSION_END_REASONS } from './events/data/session-ended.ts';
export type { SessionEndReason } from './events/data/session-ended.ts';
export { compileSchema, compileStrictSchema } from './compile/compile-schema.ts';
export type { FindProblem } from './compile/compile-schema.ts';
export { createAjv } from './compile/create-ajv.ts';
