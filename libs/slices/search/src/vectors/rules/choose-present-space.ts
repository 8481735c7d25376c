import type { SpaceKey, VectorSpace } from '../vector-space.ts';

/** What of a setting its vectors depend on. */
export type EmbeddingSource = {
  readonly [Key in 'provider' | 'baseUrl' | 'modelIdentifier']: SpaceKey[Key] | null;
};

/**
 * The space a setting's vectors lie in; undefined as long as there are none. A provider may change the width of a model: the
 * newest is what it answers now.
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
