import type { DegradedReason, SearchMode } from '@steward/contracts';
import type { KeywordSearchPage, Snippet } from '../keyword/keyword-search.ts';
import type { RetrievalPlan } from '../keyword/rules/retrieval-plan.ts';
import type { SessionMatch } from '../keyword/session-match.ts';
import type { CorpusCoverage, SearchedSession } from './search-ports.ts';

/** A page of sessions, best first, and the coverage of the corpus. */
export interface SearchAnswer {
  /** The normalized query. */
  readonly query: string;
  readonly mode: SearchMode;
  /** The mode in which the search ran. */
  readonly effectiveMode: SearchMode;
  readonly results: readonly SearchResult[];
  /** Number of matching sessions; a lower bound if it is not exact. */
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly nextCursor: string | null;
  readonly coverage: CorpusCoverage;
  /** Time up to which content has vectors; null if there are none, or if the time was not read. */
  readonly embeddedThrough: Date | null;
  readonly degraded: Degraded;
  /** A sentence that explains an empty result; null for other results. */
  readonly hint: string | null;
  readonly elapsedMs: number;
}

export interface SearchResult {
  /** The session that was found, with credentials masked in its title. */
  readonly session: SearchedSession;
  readonly score: number;
  readonly matchReason: HalfReason | 'identifier';
  /** Matches in the session; undefined if it was found only by its identifier. */
  readonly match: MatchExtent | undefined;
  /** Score of the session's keyword matches; null if there are none. */
  readonly keywordScore: number | null;
  /** Similarity of the session's nearest chunk to the query; null if it was not found by meaning. */
  readonly similarity: number | null;
  readonly snippets: readonly ResultSnippet[];
  /** The parts of the score, if requested. */
  readonly explanation: ScoreExplanation | undefined;
}

/** The half of a search that found the session or chunk; `both` if both halves found it. */
export type HalfReason = 'keyword' | 'semantic' | 'both';

export type MatchExtent = Pick<SessionMatch, 'matchedChunkCount' | 'firstMatchAt' | 'lastMatchAt'>;

export interface ResultSnippet extends Snippet {
  readonly matchReason: HalfReason;
  readonly similarity: number | null;
}

/** Parts of the search that could not run or may be incomplete, and why. */
export interface Degraded {
  readonly keyword: boolean;
  readonly semantic: boolean;
  readonly reasons: readonly DegradedReason[];
  readonly detail: string | null;
}

/**
 * Composition of a score. The score of a keyword search is the sum, over the best chunks of the session, of weight x
 * (titleBonus + contributions). With `fusion`, the score is the sum of the contributions of both halves; in this case,
 * the chunks explain only the keyword score.
 */
export interface ScoreExplanation {
  readonly retrieval: RetrievalPlan['arm'] | 'vectors';
  readonly fusion?: FusionExplanation | undefined;
  readonly terms: KeywordSearchPage['terms'];
  readonly chunks: readonly {
    readonly documentId: string;
    readonly weight: number;
    readonly titleBonus: number;
    readonly terms: readonly { readonly term: string; readonly rank: number; readonly contribution: number }[];
  }[];
}

export interface FusionExplanation {
  readonly constant: number;
  /** Contribution of the keyword half; null if that half did not find the session. */
  readonly keyword: HalfExplanation | null;
  readonly semantic: HalfExplanation | null;
}

export interface HalfExplanation {
  /** Rank in the list of this half, starting at 1. */
  readonly rank: number;
  readonly weight: number;
  readonly contribution: number;
}
