import type { NearestChunk } from '../vectors/nearest-chunk.ts';

/** A session with chunks near the query. */
export interface SemanticMatch {
  readonly sessionId: string;
  /** Similarity of the session's best chunk to the query. */
  readonly similarity: number;
  /** The session's chunks among the nearest ones, best first. */
  readonly chunks: readonly NearestChunk[];
  readonly firstMatchAt: Date;
  readonly lastMatchAt: Date;
}
