import type { DegradedReason, SearchMode } from '@steward/contracts';
import type { KeywordSearchPage, Snippet } from '../keyword/keyword-search.ts';
import type { RetrievalPlan } from '../keyword/rules/retrieval-plan.ts';
import type { SessionMatch } from '../keyword/session-match.ts';
import type { CorpusCoverage, SearchedSession } from './search-ports.ts';

/** A page of sessions, best first, and what the corpus covers. */
export interface SearchAnswer {
  /** Normalised. */
  readonly query: string;
  readonly mode: SearchMode;
  /** What ran. */
  readonly effectiveMode: SearchMode;
  readonly results: readonly SearchResult[];
  /** Sessions that match; a lower bound when it is not exact. */
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly nextCursor: string | null;
  readonly coverage: CorpusCoverage;
  /** Up to when content has vectors; null where nobody asked for them, or there are none. */
  readonly embeddedThrough: Date | null;
  readonly degraded: Degraded;
  /** Of an answer without sessions: why, in a sentence. Else null. */
  readonly hint: string | null;
  readonly elapsedMs: number;
}

export interface SearchResult {
  /** Its title with credentials masked. */
  readonly session: SearchedSession;
  readonly score: number;
  readonly matchReason: HalfReason | 'identifier';
  /** What matches in it; undefined for a session that its identifier alone found. */
  readonly match: MatchExtent | undefined;
  /** Of its words; null where they match nothing. */
  readonly keywordScore: number | null;
  /** Of its nearest chunk to the query; null where meaning did not find it. */
  readonly similarity: number | null;
  readonly snippets: readonly ResultSnippet[];
  /** The parts of the score, when they were asked for. */
  readonly explanation: ScoreExplanation | undefined;
}

/** Which half of a search found something. */
export type HalfReason = 'keyword' | 'semantic' | 'both';

export type MatchExtent = Pick<SessionMatch, 'matchedChunkCount' | 'firstMatchAt' | 'lastMatchAt'>;

export interface ResultSnippet extends Snippet {
  readonly matchReason: HalfReason;
  readonly similarity: number | null;
}

/** What could not run, and why. */
export interface Degraded {
  readonly keyword: boolean;
  readonly semantic: boolean;
  readonly reasons: readonly DegradedReason[];
  readonly detail: string | null;
}

/**
 * What a score is made of. By words, the sum over the chunks of weight x (titleBonus + contributions); with `fusion`, the sum
 * of the contributions of both halves, and the chunks explain the keyword score.
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
  /** Null for a half that did not find the session. */
  readonly keyword: HalfExplanation | null;
  readonly semantic: HalfExplanation | null;
}

export interface HalfExplanation {
  /** Place in the list of this half, from 1. */
  readonly rank: number;
  readonly weight: number;
  readonly contribution: number;
}
