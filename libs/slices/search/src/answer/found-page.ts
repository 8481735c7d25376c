import type { DegradedReason, SearchMode } from '@steward/contracts';
import type { SearchResult } from './search-answer.ts';

/** A page of an answer, and what ran to find it. */
export interface FoundPage {
  readonly effectiveMode: SearchMode;
  readonly results: readonly SearchResult[];
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly nextCursor: string | null;
  readonly reasons: readonly DegradedReason[];
  /** Up to when content has vectors, where that was read. */
  readonly embeddedThrough?: Date | null;
}
