import type { ChunkFilter } from '../keyword/chunk-filter.ts';
import type { VectorSpace } from './vector-space.ts';

export interface NearestQuery {
  /** The account's own: nothing else of the account is asked for. */
  readonly space: VectorSpace;
  /** Of the space's width, any length but zero. */
  readonly vector: Float32Array;
  readonly filter: ChunkFilter;
  readonly limit: number;
  /** Leaves out what was written later, by the database's clock. */
  readonly asOf?: Date | undefined;
}

export interface NearestChunk {
  readonly chunkId: string;
  readonly sessionId: string;
  readonly occurredAt: Date;
  /** Cosine: 1 is the same direction, 0 nothing in common. */
  readonly similarity: number;
}
