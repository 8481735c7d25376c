import type { DegradedReason, SearchMode } from '@steward/contracts';
import type { SearchResult } from './search-answer.ts';

/** A page of results, and which parts of the search contributed to it. */
export interface FoundPage {
  readonly effectiveMode: SearchMode;
  readonly results: readonly SearchResult[];
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly nextCursor: string | null;
  readonly reasons: readonly DegradedReason[];
  /** Time up to which content has vectors; null or undefined if there are none or the time was not read. */
  readonly embeddedThrough?: Date | null;
}
