/** A session on a page, with its score and the number and times of its matching chunks. */
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
