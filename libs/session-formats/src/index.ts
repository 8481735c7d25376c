/**
 * Session formats: converts the files of agents and their SDKs, record by record, and the spans that they send, to a
 * common form of sessions and entries. Not here: I/O of any kind, which parts are stored (sessions), which credentials
 * are hidden (masking). Used by: the sessions context and its API, for imports; the command line client, for packing
 * files before an import; api-gateway, for spans.
 */
export {
  createSessionReader,
  RecordRefused,
  type SessionReader,
  type SessionReaderOptions,
} from './create-session-reader.ts';
export { FOREIGN_FORMATS } from './foreign-formats.ts';
export { createBlobFilter, leaveOutBlobs } from './rules/describe-blob.ts';
export { UNNAMED_SESSION } from './format-reader.ts';
export { createRecordSplitter, type RecordSplitter } from './split-records.ts';
export {
  SESSION_FORMATS,
  type ImportedEntry,
  type SessionFormat,
  type SessionHead,
  type SessionItem,
} from './session-item.ts';
export { listUnnamedSpans, readTraces } from './spans/read-traces.ts';
export { OTLP_SOURCE_TYPE } from './spans/span-session.ts';
export { listEntryIds } from './spans/read-span.ts';
export { findSpanKind } from './spans/span-kind.ts';
export { findUnread, type UnreadSpan } from './spans/unread-span.ts';
