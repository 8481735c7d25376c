import type { AnyTransaction } from '@steward/database';
import { packUnitVector } from '../rules/unit-vector.ts';
import { addWritten, holdSpace, insertVectors, listPresentChunks } from '../store/chunk-vector.store.ts';
import type { ChunkVector, VectorSpace, WrittenVectors } from '../vector-space.ts';

/**
 * Stores vectors with the filter columns of their chunks. A chunk that was deleted in the meantime, or is being changed
 * or deleted, is skipped; if the space was retired, all chunks are skipped. The chunks are locked until the end of the
 * transaction. @throws RangeError for a vector that cannot be normalized or does not have `space.width` dimensions: the
 * caller has to check the provider's response first.
 */
export async function writeVectors(
  trx: AnyTransaction,
  { space, vectors }: { readonly space: VectorSpace; readonly vectors: readonly ChunkVector[] },
): Promise<WrittenVectors> {
  const packed = vectors.map(({ chunkId, vector }) => ({ chunkId, vector: requireUnitVector(vector, space.width) }));
  const held = packed.length === 0 ? undefined : await holdSpace(trx, space.id);
  if (held === undefined) return { written: 0, busy: [] };
  const settled = new Set(await insertVectors(trx, { ...space, segment: held.segment }, packed));
  if (settled.size > 0) await addWritten(trx, space.id, settled.size);
  const missing = vectors.map(({ chunkId }) => chunkId).filter((id) => !settled.has(id));
  const busy = missing.length === 0 ? [] : await listPresentChunks(trx, space.accountId, missing);
  return { written: settled.size, busy };
}

function requireUnitVector(vector: Float32Array, width: number): Buffer {
  if (vector.length !== width) throw new RangeError(`a vector of ${vector.length} dimensions in a space of ${width}`);
  const packed = packUnitVector(vector);
  if (packed === undefined) throw new RangeError('a vector that cannot be normalized');
  return packed;
}
