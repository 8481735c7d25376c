/** A session found by one or both halves of a search, with the parts of its score. */
export interface Candidate {
  readonly sessionId: string;
  readonly score: number;
  /**
   * Number of chunks that match the words; if the keyword half did not find the session, number of its chunks near the
   * query.
   */
  readonly matchedChunkCount: number;
  readonly firstMatchAt: Date;
  readonly lastMatchAt: Date;
  readonly keyword: { readonly score: number; readonly share: RankShare } | undefined;
  readonly semantic: { readonly similarity: number; readonly share: RankShare } | undefined;
}

/** The contribution of one half of the search to the score. */
export interface RankShare {
  /** Rank in the list of this half, from 1. */
  readonly rank: number;
  readonly contribution: number;
}

export interface FusionSettings {
  /** Rank offset: the larger it is, the less differences in rank matter. */
  readonly constant: number;
  readonly keywordWeight: number;
  readonly semanticWeight: number;
  /** Number of sessions of each half that are fused. */
  readonly depth: number;
}
