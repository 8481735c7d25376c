/** What makes vectors comparable: who made them, and for whom. */
export interface SpaceKey {
  readonly accountId: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly modelIdentifier: string;
  /** Dimensions, 1 to 4000. */
  readonly width: number;
}

export interface VectorSpace extends SpaceKey {
  readonly id: string;
  /** Its own table, once it outgrew the shared one. */
  readonly segment: string | null;
}

/** A chunk and what its text means; of any length but zero. */
export interface ChunkVector {
  readonly chunkId: string;
  readonly vector: Float32Array;
}

export interface WrittenVectors {
  readonly written: number;
  /** Chunks somebody was deleting just now: gone in a moment, or still there and without a vector. */
  readonly busy: readonly string[];
}
