/** Vectors with the same key are comparable: same model, same account. */
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
  /** Its own table, after it outgrew the shared one. */
  readonly segment: string | null;
}

/** A chunk and the vector of its text; of any length but zero. */
export interface ChunkVector {
  readonly chunkId: string;
  readonly vector: Float32Array;
}

export interface WrittenVectors {
  readonly written: number;
  /** Chunks that were just being deleted: deleted in a moment, or kept without a vector. */
  readonly busy: readonly string[];
}
