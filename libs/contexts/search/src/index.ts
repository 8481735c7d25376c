/**
 * Search context: the corpus of chunks, which are split, masked and written in the transaction of their source
 * (`corpus`), the words under which they are indexed (`words`), keyword search (`keyword`), semantic search
 * (`semantic`), embedding settings and work (`embedding`), vectors (`vectors`), searchable labels of sessions
 * (`labels`), grants for agents to search their account (`grants`), saved searches (`saved`), deletion of the chunks of
 * deleted sessions (`deletion`), and the response to a search on any surface (`answer`).
 *
 * Fields of sessions are in the sessions context, and the walk through older content is in the backfill context; a
 * search reads sessions and the state of the backfill through the functions of `SearchPorts`.
 *
 * Used by, among others: search-api, which contains the routes; the sessions and backfill contexts, which write and
 * delete chunks; search-indexer, which embeds chunks and maintains vectors; the model-calls use case, which records the
 * usage of embeddings in the ledger.
 */
export { createSearchService, type SearchService } from './answer/operations/create-search-service.ts';
export {
  answerSimilar,
  type Excerpt,
  type SimilarAnswer,
  type SimilarRequest,
  type SimilarSession,
} from './answer/operations/answer-similar.ts';
export { indexSettings } from './corpus/index-settings.ts';
export type {
  HalfExplanation,
  ResultSnippet,
  ScoreExplanation,
  SearchAnswer,
  SearchResult,
} from './answer/search-answer.ts';
export type {
  CorpusCoverage,
  IdentifiedSession,
  ReadingPorts,
  SearchedSession,
  SearchPorts,
} from './answer/search-ports.ts';
export { semanticSettings } from './semantic/semantic-settings.ts';
export type { AskedSearch, SearchCall, SearchRequest } from './answer/search-request.ts';
export { embeddingSettings } from './embedding/embedding-settings.ts';
export { EMBEDDING_PROVIDERS, EMBEDDING_SCOPES, type EmbeddingSetting } from './embedding/embedding-setting.ts';
export { readEmbeddingState, type EmbeddingState } from './embedding/operations/read-embedding-state.ts';
export { saveEmbeddingSetting } from './embedding/operations/save-embedding-setting.ts';
export type { Claim, ClaimedBatch, ClaimPlaces, StopReason, WorkSettings } from './embedding/embedding-work.ts';
export { createSettledTime } from './embedding/rules/settled-time.ts';
export { claimBatches } from './embedding/operations/claim-batches.ts';
export { nudgeAccounts, readEmbeddingBacklog } from './embedding/store/embedding-work.store.ts';
export { listAccountsOfUsage, takeUsage } from './embedding/store/embedding-usage.store.ts';
export type { NotedUsage } from './embedding/embedding-usage.ts';
export { confirmBatch } from './embedding/operations/confirm-batch.ts';
export { returnBatch, type FailedCall } from './embedding/operations/return-batch.ts';
export { storeBatches } from './embedding/operations/store-batch.ts';
export { listSpaces, findOrCreateSpace } from './vectors/store/vector-space.store.ts';
export { writeVectors } from './vectors/operations/write-vectors.ts';
export { findNearestChunks } from './vectors/operations/find-nearest-chunks.ts';
export { createSpaceGrowth } from './vectors/operations/grow-spaces.ts';
export { VECTOR_INDEX } from './vectors/rules/retrieval.ts';
export { dropFormerSpaces } from './vectors/operations/drop-former-spaces.ts';
export type { NearestChunk, NearestQuery } from './vectors/nearest-chunk.ts';
export type { ChunkVector, SpaceKey, VectorSpace, WrittenVectors } from './vectors/vector-space.ts';
export { GRANT_SUBJECT_TYPES, type AccountScopeGrant, type GrantChange } from './grants/account-scope-grant.ts';
export { saveAccountScopeGrants } from './grants/operations/save-account-scope-grants.ts';
export { listAccountScopeGrants } from './grants/store/account-scope-grant.store.ts';
export { createSavedSearch } from './saved/operations/create-saved-search.ts';
export { deleteSavedSearch } from './saved/operations/delete-saved-search.ts';
export { updateSavedSearch } from './saved/operations/update-saved-search.ts';
export { SAVED_SEARCH_VISIBILITIES, type SavedSearch, type SavedSearchVisibility } from './saved/saved-search.ts';
export { findSavedSearch, listSavedSearches, noteSavedSearchRun } from './saved/store/saved-search.store.ts';
export { searchSealedColumns } from './sealed-columns.ts';
export { searchMigrations } from '../migrations/index.ts';
export { deleteCorpus, deleteExpiredChunks } from './corpus/operations/delete-expired-chunks.ts';
export { purgeSessionCorpus } from './deletion/operations/purge-session-corpus.ts';
export { countHiddenSessions, hideSessions } from './deletion/store/deleted-session.store.ts';
export { findCredentialSightings } from './corpus/operations/find-credential-sightings.ts';
export {
  listIndexedSources,
  listSessionsWithContentChunks,
  selectIndexedWindow,
  type IndexedWindow,
  type TimeRange,
} from './corpus/store/indexed-window.store.ts';
export { flushPendingChunks } from './corpus/store/pending-chunks.store.ts';
export { indexChunksAnew } from './corpus/operations/index-chunks-anew.ts';
export { maskLeftoverChunks } from './corpus/operations/mask-leftover-chunks.ts';
export { createSearchKeywords } from './keyword/operations/search-keywords.ts';
export type { KeywordSearchInput, KeywordSearchPage, SearchOptions, Snippet } from './keyword/keyword-search.ts';
export { cleanLabel, cleanLabels } from './labels/rules/clean-labels.ts';
export { replaceSessionLabels, selectLabelledSessions } from './labels/store/session-label.store.ts';
export { lockSources } from './corpus/store/chunk.store.ts';
export {
  prepareChunks,
  writeChunks,
  writePreparedChunks,
  type PreparedChunks,
  type WriteChunksOutcome,
} from './corpus/operations/write-chunks.ts';
export type { QueryStrictness } from './keyword/rules/keyword-query.ts';
export type { RetrievalPlan } from './keyword/rules/retrieval-plan.ts';
export type { ChunkSource, RedactionState } from './corpus/chunk-source.ts';
export type { CredentialSighting, SightingPlace } from './corpus/store/credential-sighting.store.ts';
export type { ChunkFilter } from './keyword/chunk-filter.ts';
export { SEARCH_SESSION_SETTINGS } from './keyword/store/session-settings.store.ts';
export { listOutdatedChunks, listOutdatedSources, type OutdatedPlace } from './corpus/store/outdated-mask.store.ts';
