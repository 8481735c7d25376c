import type { PoolClient } from 'pg';
import type { NearestChunk } from '../nearest-chunk.ts';
import type { PlacedSpace } from '../placed-space.ts';
import type { ScanPlan } from '../rules/retrieval.ts';
import { listExcluded, type Exclusion } from '../store/excluded-chunk.store.ts';
import { scanNearestOfEach, type NearestScan } from '../store/nearest-chunks.store.ts';
import { scanSpace } from './scan-space.ts';

export interface SessionScan extends NearestScan {
  readonly sessions: number;
  readonly excluded?: Exclusion | undefined;
}

export interface ScannedSessions {
  /** Nearest first. */
  readonly chunks: readonly NearestChunk[];
  /** Whether there may be further sessions. */
  readonly isCut: boolean;
}

/** Scans by an index before all is compared: each costs far less than that, and most often two are enough. */
const MOST_SCANS = 4;
/** What is excluded often lies near the query, and to look for it in all of a space is dearer still. */
const MOST_SCANS_EXCLUDING = 12;
/** Of one session, where all is compared: what is shown of it. */
const CHUNKS_OF_EACH = 5;

/**
 * The nearest chunks of a space until they are of as many sessions as asked for, within `withScan`. A few long sessions near the
 * query can fill a scan, or chunks that are excluded; the next one goes on without what was found so far. Where that does not end,
 * all is compared by session.
 */
export async function scanSessions(
  client: PoolClient,
  place: PlacedSpace,
  { sessions, excluded, ...scan }: SessionScan,
  plan: ScanPlan,
): Promise<ScannedSessions> {
  const chunks: NearestChunk[] = [];
  const found = new Set<string>();
  const dropped: string[] = [];
  const goOn = (): NearestScan => ({
    ...scan,
    exceptSessionIds: [...(scan.exceptSessionIds ?? []), ...found],
    exceptChunkIds: dropped,
  });
  const keep = (more: readonly NearestChunk[]): void => {
    chunks.push(...more);
    for (const { sessionId } of more) found.add(sessionId);
  };
  // A small space is compared exactly anyway: by session at once.
  const byIndex = excluded === undefined ? MOST_SCANS : MOST_SCANS_EXCLUDING;
  const mostScans = place.segment === null ? 1 : byIndex;
  for (let count = 0; count < mostScans; count += 1) {
    const more = await scanSpace(client, place, goOn(), plan);
    const excludedIds = await findExcluded(client, excluded, more);
    dropped.push(...excludedIds);
    keep(more.filter(({ chunkId }) => !excludedIds.has(chunkId)));
    if (more.length < scan.limit) return { chunks, isCut: false };
    if (found.size >= sessions) return { chunks, isCut: true };
  }
  const limit = (sessions - found.size) * CHUNKS_OF_EACH;
  const rest = await scanNearestOfEach(client, place, { ...goOn(), limit, mostOfEach: CHUNKS_OF_EACH, excluded });
  keep(rest);
  return { chunks, isCut: rest.length >= limit };
}

/** Of the chunks found: to look at all of a space would be to read all of its texts. */
async function findExcluded(
  client: PoolClient,
  excluded: Exclusion | undefined,
  found: readonly NearestChunk[],
): Promise<ReadonlySet<string>> {
  if (excluded === undefined || found.length === 0) return new Set();
  const chunkIds = found.map(({ chunkId }) => chunkId);
  return new Set(await listExcluded(client, excluded, chunkIds));
}
