/** A session that one half of a search found, or both, with what its score is made of. */
export interface Candidate {
  readonly sessionId: string;
  readonly score: number;
  /** Chunks its words match, or where they match none, those near the query. */
  readonly matchedChunkCount: number;
  readonly firstMatchAt: Date;
  readonly lastMatchAt: Date;
  readonly keyword: { readonly score: number; readonly share: RankShare } | undefined;
  readonly semantic: { readonly similarity: number; readonly share: RankShare } | undefined;
}

/** What one half adds to the score. */
export interface RankShare {
  /** Place in the list of this half, from 1. */
  readonly rank: number;
  readonly contribution: number;
}

export interface FusionSettings {
  /** Places a half's first is ahead of its list: the larger, the less a place counts. */
  readonly constant: number;
  readonly keywordWeight: number;
  readonly semanticWeight: number;
  /** Sessions of each half that are fused. */
  readonly depth: number;
}
