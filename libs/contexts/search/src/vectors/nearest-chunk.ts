import type { ChunkFilter } from '../keyword/chunk-filter.ts';
import type { VectorSpace } from './vector-space.ts';

export interface NearestQuery {
  /** A space of the account: no further condition on the account is needed. */
  readonly space: VectorSpace;
  /** Has the space's width, and any length but zero. */
  readonly vector: Float32Array;
  readonly filter: ChunkFilter;
  readonly limit: number;
  /** Excludes vectors written later, by the database's clock. */
  readonly asOf?: Date | undefined;
}

export interface NearestChunk {
  readonly chunkId: string;
  readonly sessionId: string;
  readonly occurredAt: Date;
  /** Cosine: 1 is the same direction, 0 nothing in common. */
  readonly similarity: number;
}
