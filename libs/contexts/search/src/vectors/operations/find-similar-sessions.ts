import { runCancellable, type CancellableOptions, type CancellablePools } from '@steward/database';
import { rethrowTimeout } from '../../rethrow-timeout.ts';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import type { NearestChunk } from '../nearest-chunk.ts';
import { chooseCandidates } from '../rules/choose-candidates.ts';
import { chooseProbes } from '../rules/choose-probes.ts';
import { planScan } from '../rules/retrieval.ts';
import { withScan } from '../store/nearest-chunks.store.ts';
import * as store from '../store/session-vectors.store.ts';
import type { VectorSpace } from '../vector-space.ts';
import { scanSessions } from './scan-sessions.ts';

export interface SimilarQuery {
  readonly space: VectorSpace;
  readonly sessionId: string;
  /** Filter for the sessions to be found. */
  readonly filter: ChunkFilter;
  readonly limit: number;
  readonly chunksPerSession: number;
}

export type SimilarOutcome =
  | { readonly kind: 'found'; readonly sessions: readonly store.SessionLikeness[] }
  /** The session has no vector yet. */
  | { readonly kind: 'not_embedded' };

/** Maximum number of the session's chunks from which the probes are chosen. */
const MOST_OWN_CHUNKS = 5000;
const FOUND_PER_PROBE = 60;
const COMPARED_CHUNKS_PER_SESSION = 100;

/**
 * Returns sessions similar to a given one, most similar first: for each of its probe chunks, the nearest chunks are
 * found, and the newest chunks of their sessions are then compared with all probe chunks. Boilerplate that occurs in
 * every session raises all similarities equally, so it does not change the order.
 * @throws AppError `search_timeout`
 */
export function findSimilarSessions(
  pools: CancellablePools,
  query: SimilarQuery,
  options: CancellableOptions,
): Promise<SimilarOutcome> {
  const { chunksPerSession, filter, limit, sessionId, space } = query;
  return runCancellable(pools, options, (client) =>
    withScan(client, space.id, async (place): Promise<SimilarOutcome> => {
      const own = await store.listSessionChunks(client, place, { sessionId, limit: MOST_OWN_CHUNKS });
      if (own.length === 0) return { kind: 'not_embedded' };
      const probeIds = chooseProbes(own).map(({ chunkId }) => chunkId);
      const probes = await store.readVectors(client, place, probeIds);
      const plan = planScan({ width: space.width, rows: place.segmentRows, limit: FOUND_PER_PROBE });
      const found: (readonly NearestChunk[])[] = [];
      for (const unitVector of probes) {
        const scan = { unitVector, filter, exceptSessionIds: [sessionId], limit: FOUND_PER_PROBE, sessions: limit };
        found.push((await scanSessions(client, place, scan, plan)).chunks);
      }
      const compared = await store.compareSessions(client, place, {
        probes,
        sessionIds: chooseCandidates(found, 2 * limit),
        filter,
        chunksPerSession: COMPARED_CHUNKS_PER_SESSION,
        shownPerSession: chunksPerSession,
      });
      const best = compared.sort((a, b) => b.similarity - a.similarity || (a.sessionId < b.sessionId ? -1 : 1));
      return { kind: 'found', sessions: best.slice(0, limit) };
    }),
  ).catch(rethrowTimeout);
}
