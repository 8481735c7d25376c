import type { PoolClient } from 'pg';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import type { NearestChunk } from '../nearest-chunk.ts';
import type { PlacedSpace } from '../placed-space.ts';
import { countCandidates, countFiltered, type ScanPlan } from '../rules/retrieval.ts';
import * as store from '../store/nearest-chunks.store.ts';

export interface ScannedSpace {
  /** Chunks, nearest first. */
  readonly chunks: readonly NearestChunk[];
  /** Whether `chunks` contains every vector that passes the filter. */
  readonly isWhole: boolean;
  /** Whether `chunks` includes chunks of the nearest sessions, up to the requested number of sessions. */
  readonly hasSessions: boolean;
}

export interface SpaceScan extends store.NearestScan {
  /** Number of nearest sessions of which an exact scan also returns chunks; an index scan ignores this number. */
  readonly sessions?: number | undefined;
}

/** Maximum number of chunks returned for each of the nearest sessions, in addition to the nearest chunks. */
export const CHUNKS_OF_EACH = 5;

/**
 * Finds the nearest chunks of a space, within `withScan`: with an exact scan if the space has no segment or the filter
 * is selective, otherwise with the index, followed by an exact scan if the index returns too few chunks. This exact
 * scan is skipped for a large space if sessions are excluded and no other filter is set: the index scan may find only
 * excluded sessions near the query, and comparing a large space would take too long.
 */
export async function scanSpace(
  client: PoolClient,
  place: PlacedSpace,
  { sessions, ...scan }: SpaceScan,
  plan: ScanPlan,
): Promise<ScannedSpace> {
  const { exceptSessionIds = [], filter, limit } = scan;
  const scanExactly = async (): Promise<ScannedSpace> => {
    const chunks =
      sessions === undefined
        ? await store.scanNearest(client, place, scan, 'exact')
        : await store.scanNearestAndSessions(client, place, { ...scan, sessions, mostOfEach: CHUNKS_OF_EACH });
    return { chunks, isWhole: chunks.length < limit, hasSessions: sessions !== undefined };
  };
  const answerPart = (found: readonly NearestChunk[]): ScannedSpace => ({
    chunks: found.slice(0, limit),
    isWhole: false,
    hasSessions: false,
  });
  if (place.segment === null) return scanExactly();
  const isFiltered = hasFilter(filter);
  const left = await countLeft(client, place, filter);
  if (isFiltered && left <= plan.exactRows) return scanExactly();
  const wanted = isFiltered ? countFiltered(limit) : limit;
  const candidates = countCandidates(isFiltered ? 2 * wanted : wanted);
  await store.tuneIndex(client, { candidates, mostTuples: plan.mostTuples });
  const found = await store.scanNearest(client, place, { ...scan, limit: wanted }, 'index');
  if (found.length >= wanted) return answerPart(found);
  const isHidden = !isFiltered && exceptSessionIds.length > 0 && left > plan.exactRows;
  return isHidden ? answerPart(found) : scanExactly();
}

/** Returns the number of vectors in the segment that pass a filter, estimated by the planner. */
export async function countLeft(client: PoolClient, place: PlacedSpace, filter: ChunkFilter): Promise<number> {
  const { segment, segmentRows } = place;
  if (segment === null || !hasFilter(filter)) return segmentRows;
  return store.estimateFiltered(client, { ...place, segment }, filter);
}

function hasFilter(filter: ChunkFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
