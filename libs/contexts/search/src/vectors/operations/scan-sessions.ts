import type { PoolClient } from 'pg';
import type { NearestChunk } from '../nearest-chunk.ts';
import type { PlacedSpace } from '../placed-space.ts';
import { countCandidates, countWider, type ScanPlan } from '../rules/retrieval.ts';
import { listExcluded, type Exclusion } from '../store/excluded-chunk.store.ts';
import { scanNearestOfEach, tuneIndex, type NearestScan } from '../store/nearest-chunks.store.ts';
import { CHUNKS_OF_EACH, countLeft, scanSpace } from './scan-space.ts';

export interface SessionScan extends NearestScan {
  readonly sessions: number;
  readonly excluded?: Exclusion | undefined;
}

export interface ScannedSessions {
  /** Chunks, nearest first. */
  readonly chunks: readonly NearestChunk[];
  /** Whether there may be more sessions. */
  readonly isCut: boolean;
}

/**
 * Returns the nearest chunks of a space, as many as are needed for the requested number of sessions. It must be called
 * within `withScan`. A few long sessions near the query, or excluded chunks, may fill a scan. In this case, all vectors
 * are compared, grouped by session, if this is fast; otherwise one larger scan requests enough further chunks, up to a
 * limit.
 */
export async function scanSessions(
  client: PoolClient,
  place: PlacedSpace,
  { sessions, excluded, ...scan }: SessionScan,
  plan: ScanPlan,
): Promise<ScannedSessions> {
  // With excluded words, the scan does not look for the nearest sessions: whether a chunk is excluded is known only
  // after it was found, and all of these sessions might be excluded.
  const ofSessions = excluded === undefined ? sessions : undefined;
  const {
    chunks: first,
    isWhole,
    hasSessions,
  } = await scanSpace(client, place, { ...scan, sessions: ofSessions }, plan);
  const excludedIds = await findExcluded(client, excluded, first);
  const chunks = first.filter(({ chunkId }) => !excludedIds.has(chunkId));
  const found = new Set(chunks.map(({ sessionId }) => sessionId));
  if (isWhole) return { chunks, isCut: false };
  if (found.size >= sessions) return { chunks, isCut: true };
  if (hasSessions) return { chunks, isCut: false };
  const further = {
    ...scan,
    exceptSessionIds: [...(scan.exceptSessionIds ?? []), ...found],
    exceptChunkIds: [...excludedIds],
    limit: (sessions - found.size) * CHUNKS_OF_EACH,
    mostOfEach: CHUNKS_OF_EACH,
    excluded,
  };
  if ((await countLeft(client, place, scan.filter)) <= Math.max(plan.exactRows, plan.mostChunks)) {
    const rest = await scanNearestOfEach(client, place, further);
    return { chunks: [...chunks, ...rest], isCut: rest.length >= further.limit };
  }
  const isFull = first.length >= scan.limit;
  const wider = isFull ? countWider({ looked: first.length, found: found.size, sessions }) : plan.mostChunks;
  const look = Math.min(plan.mostChunks, wider);
  await tuneIndex(client, { candidates: countCandidates(look), mostTuples: Math.max(plan.mostTuples, 2 * look) });
  return { chunks: [...chunks, ...(await scanNearestOfEach(client, place, { ...further, look }))], isCut: true };
}

/**
 * Returns which of the found chunks are excluded; others are not checked, since checking a whole space would read all
 * of its texts.
 */
async function findExcluded(
  client: PoolClient,
  excluded: Exclusion | undefined,
  found: readonly NearestChunk[],
): Promise<ReadonlySet<string>> {
  if (excluded === undefined || found.length === 0) return new Set();
  const chunkIds = found.map(({ chunkId }) => chunkId);
  return new Set(await listExcluded(client, excluded, chunkIds));
}
