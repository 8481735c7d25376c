/**
 * Search slice: the corpus of chunks: splitting, writing them inside the transaction of their source, keyword search,
 * what the corpus covers.
 *
 * Not here: HTTP, sessions' own fields (the gateway slice), the walk through history (backfill).
 * Used by: api-gateway, the gateway slice (writes chunks), search-indexer, flow-trigger, backfill-sweeper.
 */
export { searchMigrations } from '../migrations/index.ts';
export { deleteExpiredChunks } from './operations/delete-expired-chunks.ts';
export { listIndexedSources, selectIndexedWindow } from './operations/find-indexed-window.ts';
export type { IndexedWindow, TimeRange } from './operations/find-indexed-window.ts';
export { flushPendingChunks } from './operations/flush-pending.ts';
export { searchKeywords } from './operations/search-keywords.ts';
export type { KeywordSearchInput, KeywordSearchPage, SearchOptions, Snippet } from './operations/search-keywords.ts';
export { writeChunks } from './operations/write-chunks.ts';
export type { WriteChunksOutcome } from './operations/write-chunks.ts';
export { isPlainQuery, normaliseQuery, quoteAddresses } from './rules/keyword-query.ts';
export type { QueryStrictness } from './rules/keyword-query.ts';
export { isCredentialName } from './rules/mask-credentials.ts';
export { unquoteTerm } from './rules/query-terms.ts';
export { RANKING } from './rules/ranking.ts';
export type { RetrievalPlan } from './rules/retrieval-plan.ts';
export { splitIntoChunks } from './rules/split-into-chunks.ts';
export type { ChunkSource, RedactionState } from './schema.ts';
export type { ChunkFilter } from './store/match-conditions.ts';
export type { SessionMatch } from './store/page-rows.ts';
export { SEARCH_SESSION_SETTINGS } from './store/session-settings.ts';
export type { SearchPosition } from './store/session-page.store.ts';
