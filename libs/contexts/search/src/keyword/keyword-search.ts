import type { ChunkFilter } from './chunk-filter.ts';
import type { QueryStrictness } from './rules/keyword-query.ts';
import type { WeightedTerm } from './rules/ranking.ts';
import type { RetrievalPlan } from './rules/retrieval-plan.ts';
import type { SearchPosition, SessionMatch } from './session-match.ts';
import type { SnippetRow } from './store/page-rows.store.ts';

export interface KeywordSearchInput {
  readonly accountId: string;
  /** Query in web-search syntax: quoted phrases, `or`, `-` for exclusion. */
  readonly query: string;
  /** `any_word` relaxes a query of plain words to OR, for the keyword half of hybrid mode. */
  readonly strictness: QueryStrictness;
  readonly filter: ChunkFilter;
  readonly limit: number;
  /** Number of sessions that suffice if finding more takes longer; if more are found, up to `limit` are returned. */
  readonly enough?: number | undefined;
  readonly offset: number;
  /** Position after the last session of the previous page; if set, `offset` is 0. */
  readonly after?: SearchPosition | undefined;
  /**
   * Time of the first page: only chunks indexed up to this time are included, so that pages do not shift while new data
   * arrives.
   */
  readonly asOf?: Date | undefined;
  /**
   * Plan of the previous page; it is used again, so that the same candidates are ranked. If `enough` is set and the
   * candidates do not suffice, the plan is extended.
   */
  readonly plan?: RetrievalPlan | undefined;
  readonly maxSnippetsPerSession: number;
  readonly includeSnippetText: boolean;
  /** True if the parts of the scores are returned. */
  readonly explain?: boolean;
}

export interface SearchOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A matching chunk of a session on the page. */
export interface Snippet extends Omit<SnippetRow, 'content'> {
  /** HTML with the query's words in `<mark>` and everything else escaped. Null if no text was requested. */
  readonly html: string | null;
}

export interface KeywordSearchPage {
  /** Sessions of the page, best first; one more than `limit` if there is another page. */
  readonly sessions: readonly SessionMatch[];
  readonly snippets: readonly Snippet[];
  /** Number of matching sessions. */
  readonly total: number;
  /** False if `total` is only a lower bound. */
  readonly totalIsExact: boolean;
  /** Database time of the first page; further pages include only chunks indexed up to this time. */
  readonly asOf: Date;
  /** The method by which the candidates were found. */
  readonly plan: RetrievalPlan;
  /** The words on which the score is based, with their weights. */
  readonly terms: readonly WeightedTerm[];
  /** The words that are marked in snippets. */
  readonly shown: readonly string[];
}

/**
 * Ranks the sessions of one account that match a query.
 * @throws AppError `query_has_no_terms` for a query with no word to search, for example with only exclusions;
 * `invalid_request` for a query with too many dashes in a row; `search_timeout` if the time budget is exceeded
 */
export type SearchKeywords = (input: KeywordSearchInput, options: SearchOptions) => Promise<KeywordSearchPage>;
