import type { ChunkFilter } from '../keyword/chunk-filter.ts';
import type { VectorSpace } from './vector-space.ts';

export interface NearestQuery {
  /** Space that is searched; a space belongs to one account, so no further condition on the account is needed. */
  readonly space: VectorSpace;
  /** Vector with the dimensions of the space; it must not be the zero vector. */
  readonly vector: Float32Array;
  readonly filter: ChunkFilter;
  readonly limit: number;
  /** Vectors written after this time, according to the database's clock, are excluded. */
  readonly asOf?: Date | undefined;
}

export interface NearestChunk {
  readonly chunkId: string;
  readonly sessionId: string;
  readonly occurredAt: Date;
  /** Cosine similarity: 1 for the same direction, 0 for nothing in common. */
  readonly similarity: number;
}
