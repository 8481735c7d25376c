/** A session of a page, with what its score is made of. */
export interface SessionMatch {
  readonly sessionId: string;
  readonly score: number;
  readonly matchedChunkCount: number;
  readonly firstMatchAt: Date;
  readonly lastMatchAt: Date;
}

/** Position after the last session of the page before. */
export interface SearchPosition {
  readonly score: number;
  readonly lastMatchAt: Date;
  readonly sessionId: string;
}
