import { APP_ROLES, transact } from '@steward/database';
import type { ChunkSource } from '../corpus/chunk-source.ts';
import type { NearestQuery } from '../vectors/nearest-chunk.ts';
import { findNearestChunks } from '../vectors/operations/find-nearest-chunks.ts';
import { writeVectors } from '../vectors/operations/write-vectors.ts';
import { findOrCreateSpace } from '../vectors/store/vector-space.store.ts';
import type { SpaceKey, VectorSpace } from '../vectors/vector-space.ts';
import { openSearch } from './open-search.ts';

export type OpenVectors = Awaited<ReturnType<typeof openVectors>>;

/** Opens a corpus like `openSearch`, with vectors written with the indexer's role. */
export async function openVectors() {
  const suite = await openSearch();
  const indexer = suite.connectAs(APP_ROLES.searchIndexer);
  return {
    ...suite,
    indexer,
    makeSpace: (accountId: string, width: number, more: Partial<SpaceKey> = {}) =>
      transact({ db: indexer.db }, (trx) =>
        findOrCreateSpace(trx, {
          accountId,
          provider: 'generic_compatible',
          baseUrl: 'https://models.example.com/v1',
          modelIdentifier: 'model-a',
          width,
          ...more,
        }),
      ),
    /** Adds a session with one chunk that has this vector. Returns the ids of the chunk and the session. */
    async tell(space: VectorSpace, vector: Float32Array, more: Partial<ChunkSource> = {}) {
      const { source } = await suite.write(space.accountId, 'some text', more);
      const [chunk] = await suite.query<{ id: string }>('select id from search.chunk where source_id = $1', [
        source.sourceId,
      ]);
      if (chunk === undefined) throw new Error('no chunk was written');
      await transact({ db: indexer.db }, (trx) =>
        writeVectors(trx, { space, vectors: [{ chunkId: chunk.id, vector }] }),
      );
      return { chunkId: chunk.id, sessionId: source.runtimeSessionId, source };
    },
    nearest: (space: VectorSpace, vector: Float32Array, more: Partial<NearestQuery> = {}) =>
      findNearestChunks(
        suite.pools,
        { space, vector, filter: {}, limit: 10, ...more },
        { timeoutMs: 20_000, signal: new AbortController().signal },
      ),
  };
}
