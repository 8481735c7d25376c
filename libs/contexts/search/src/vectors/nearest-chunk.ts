import type { ChunkFilter } from '../keyword/chunk-filter.ts';
import type { VectorSpace } from './vector-space.ts';

export interface NearestQuery {
  /** A space of the account: no further condition on the account is needed. */
  readonly space: VectorSpace;
  /** Has the space's dimensions and any length except zero. */
  readonly vector: Float32Array;
  readonly filter: ChunkFilter;
  readonly limit: number;
  /** Excludes vectors written later, according to the database's clock. */
  readonly asOf?: Date | undefined;
}

export interface NearestChunk {
  readonly chunkId: string;
  readonly sessionId: string;
  readonly occurredAt: Date;
  /** Cosine similarity: 1 is the same direction, 0 means nothing in common. */
  readonly similarity: number;
}
