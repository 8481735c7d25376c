/** Key of a vector space. Vectors with the same key are comparable: same model, same account. */
export interface SpaceKey {
  readonly accountId: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly modelIdentifier: string;
  /** Number of dimensions, 1 to 4000. */
  readonly width: number;
}

export interface VectorSpace extends SpaceKey {
  readonly id: string;
  /** Separate table of the space; null until the space exceeds the limit of the shared table. */
  readonly segment: string | null;
}

/** A chunk and the vector of its text; the vector need not be normalized, but must not be the zero vector. */
export interface ChunkVector {
  readonly chunkId: string;
  readonly vector: Float32Array;
}

export interface WrittenVectors {
  readonly written: number;
  /** Chunks for which no vector was stored, because they were being changed or deleted. */
  readonly busy: readonly string[];
}
