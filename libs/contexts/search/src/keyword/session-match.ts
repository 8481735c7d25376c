/** A session on a page, with the parts of its score. */
export interface SessionMatch {
  readonly sessionId: string;
  readonly score: number;
  readonly matchedChunkCount: number;
  readonly firstMatchAt: Date;
  readonly lastMatchAt: Date;
}

/** Position after the last session of the previous page. */
export interface SearchPosition {
  readonly score: number;
  readonly lastMatchAt: Date;
  readonly sessionId: string;
}
