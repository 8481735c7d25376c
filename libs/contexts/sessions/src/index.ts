/**
 * Sessions context: the sessions of agents with their content, timeline, titles and operator notes. Unless indexing is
 * off, stored content is in the search corpus as soon as its transaction is committed.
 *
 * Not here: HTTP, the corpus itself (the search context), permissions (identity). Used by, among others: the APIs of
 * the gateway; the flows context and flow-trigger, which open, write and end sessions; the backfill context, which
 * reads content to index it; backfill-sweeper, which deletes sessions and moves large bodies to the object store.
 */
export {
  appendSessionContent,
  appendToFreeSessions,
  type AppendSessionContentOutcome,
} from './content/operations/append-session-content.ts';
export type { StoredContent } from './content/operations/store-content.ts';
export {
  endIdleSessions,
  endRuntimeSession,
  type EndRuntimeSessionOutcome,
} from './sessions/operations/end-runtime-session.ts';
export {
  listSessionChunkSources,
  readStoredSources,
  type ChunkSourcePage,
  type StoredSource,
} from './content/operations/list-chunk-sources.ts';
export { buildSummarySource } from './content/rules/chunk-source.ts';
export {
  listContentPlaces,
  findContentByExternalId,
  type ContentPlace,
} from './content/store/session-content.store.ts';
export { listLastContent } from './content/operations/list-last-content.ts';
export type { LastContent } from './content/store/last-content.store.ts';
export { listSessionTimeline, listTimelineAround } from './content/operations/list-session-timeline.ts';
export {
  findRuntimeSessionsByIdentifier,
  listRuntimeSessions,
  readRuntimeSession,
  readRuntimeSessions,
  readSessionHeadings,
} from './sessions/operations/read-runtime-sessions.ts';
export { countSessionsBehind, type SessionCount } from './sessions/store/count-sessions.store.ts';
export { sendOperatorNote, type NoteTarget } from './notes/operations/send-operator-note.ts';
export { cancelOperatorNote } from './notes/operations/cancel-operator-note.ts';
export { listNotes, moveWaitingNotes } from './notes/store/operator-note.store.ts';
export { selectHasNotes, type NoteTaker } from './notes/store/note-claim.store.ts';
export { frameNotes } from './notes/rules/frame-notes.ts';
export { NOTE_STATES, type DeliveryChannel, type NoteAuthor, type OperatorNote } from './notes/operator-note.ts';
export { findUnindexedTitles, indexStoredTitles } from './titles/operations/index-stored-titles.ts';
export { storeAskedTitle, wantsAskedTitle } from './titles/operations/store-asked-title.ts';
export { findTitleModel, saveTitleModel } from './titles/store/title-setting.store.ts';
export { generateTitles, storeSessionTitles } from './titles/operations/title-sessions.ts';
export { findCurrentSession, type OpenCurrentSessionInput } from './sessions/operations/open-current-session.ts';
export { isNameOfCurrent } from './sessions/rules/current-name.ts';
export { updateRuntimeSession } from './sessions/operations/update-runtime-session.ts';
export { upsertRuntimeSession } from './sessions/operations/upsert-runtime-session.ts';
export { findSessionOfModelCall } from './sessions/store/calling-session.store.ts';
export { findLatestActivityBefore, type SessionHeading } from './sessions/store/find-session.store.ts';
// `selectUnindexedContent` returns SQL, which backfill includes in the statement that reads the coverage of the corpus
// before every search.
export {
  findUnindexedContent,
  listUnindexedContent,
  selectUnindexedContent,
  type UnindexedContent,
} from './content/store/unindexed-content.store.ts';
export type { RenderedEntry } from './content/rules/render-entry.ts';
export { builtInTitleGenerator, type TitleGenerator } from './titles/rules/session-title.ts';
export type { RuntimeSession, SessionWriteOptions } from './sessions/runtime-session.ts';
export { CONTENT_ERRORS, type ContentFacts, type SessionContent } from './content/session-content.ts';
export { requireAvailable } from './content/operations/open-content.ts';
export {
  contentBucketSettings,
  listContentBucketSecrets,
  openContentBucket,
  type ContentBucketSettings,
} from './objects/content-bucket-settings.ts';
export { createContentObjects, type ContentObjects } from './objects/content-objects.ts';
export { moveContent, type MoveOutcome } from './objects/operations/move-content.ts';
export { removeObjects } from './objects/operations/remove-objects.ts';
export { removeOrphans } from './objects/operations/remove-orphans.ts';
export { LEAST_OBJECT_BYTES } from './objects/rules/movable.ts';
export { countLargeContent, deleteOldClaims } from './objects/store/content-claim.store.ts';
export { countRemovals } from './objects/store/content-removal.store.ts';
export { hasObjects } from './objects/store/moved-content.store.ts';
export { sessionsSealedColumns } from './sealed-columns.ts';
export type { SessionContentEntry } from './content/rules/content-kinds.ts';
export {
  deleteRuntimeSession,
  type DeleteRuntimeSessionOutcome,
} from './deletion/operations/delete-runtime-session.ts';
export { requestDeletion } from './deletion/operations/request-deletion.ts';
export { runDeletionBatch, type DeletionStep } from './deletion/operations/run-deletion-batch.ts';
export { isPurgeBehind } from './deletion/operations/is-purge-behind.ts';
export { expireSessions, type ExpiredSessions } from './deletion/operations/expire-sessions.ts';
export { deleteOldJobs, DUE_JOBS, findJob as findDeletionJob } from './deletion/store/deletion-job.store.ts';
export type { DeletionFilters, DeletionJob } from './deletion/deletion-job.ts';
export {
  purgeDeletedSession,
  type PurgeStep,
  type SessionPurger,
} from './deletion/operations/purge-deleted-session.ts';
export { deleteSessions } from './deletion/operations/delete-sessions.ts';
export { holdSessions, WAITING_DELETIONS } from './deletion/store/session-deletion.store.ts';
export { contentSettings, toSessionWriteOptions, type SessionWriteSettings } from './content/content-settings.ts';
export { findTracedSessions, type TracedSessions } from './content/store/traced-content.store.ts';
export { listToolCalls } from './content/operations/list-tool-calls.ts';
export type { ToolCallRange } from './content/store/tool-call.store.ts';
export { gatherBatches, keyOf, type SessionBatch } from './batches/gather-batches.ts';
export {
  createBatchWriter,
  type BatchWriter,
  type BatchWriterDeps,
  type StoredBatch,
} from './batches/write-batches.ts';
export { findCallSession, namesAgentSession, type CallSession } from './callers/call-session.ts';
export { createSessionFinder, type Caller, type FindSession } from './callers/session-finder.ts';
export type { ContentBody, ContentBodyKind, ContentRenderer } from './content/rendered-bodies.ts';
export { createNoteHandOver, type HeldNotes, type NoteHandOver } from './notes/note-hand-over.ts';
export { isSessionOf, readAgentId } from './notes/rules/owns-session.ts';
export { readRuntimePrincipal } from './sessions/rules/read-runtime-principal.ts';
