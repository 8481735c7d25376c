import type { SpaceKey, VectorSpace } from '../vector-space.ts';

/** Fields of an embedding setting on which its vectors depend. */
export type EmbeddingSource = {
  readonly [Key in 'provider' | 'baseUrl' | 'modelIdentifier']: SpaceKey[Key] | null;
};

/**
 * Returns the space of a setting's vectors; undefined if there are none. A provider may change the dimensions of a
 * model: the newest space has the current ones.
 */
export function choosePresentSpace(
  newestFirst: readonly VectorSpace[],
  source: EmbeddingSource,
): VectorSpace | undefined {
  return newestFirst.find(
    (space) =>
      space.provider === source.provider &&
      space.baseUrl === source.baseUrl &&
      space.modelIdentifier === source.modelIdentifier,
  );
}
