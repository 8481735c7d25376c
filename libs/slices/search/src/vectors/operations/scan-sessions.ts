import type { PoolClient } from 'pg';
import type { NearestChunk } from '../nearest-chunk.ts';
import type { PlacedSpace } from '../placed-space.ts';
import type { ScanPlan } from '../rules/retrieval.ts';
import { scanNearestOfEach, type NearestScan } from '../store/nearest-chunks.store.ts';
import { scanSpace } from './scan-space.ts';

export interface SessionScan extends NearestScan {
  readonly sessions: number;
}

export interface ScannedSessions {
  /** Nearest first. */
  readonly chunks: readonly NearestChunk[];
  /** Whether there may be further sessions. */
  readonly isCut: boolean;
}

/** Scans by an index before all is compared: each costs far less than that, and most often two are enough. */
const MOST_SCANS = 4;
/** Of one session, where all is compared: what is shown of it. */
const CHUNKS_OF_EACH = 5;

/**
 * The nearest chunks of a space until they are of as many sessions as asked for, within `withScan`. A few long sessions near the
 * query can fill a scan; the next one goes on without the sessions found so far. Where that does not end, all is compared by
 * session.
 */
export async function scanSessions(
  client: PoolClient,
  place: PlacedSpace,
  { sessions, ...scan }: SessionScan,
  plan: ScanPlan,
): Promise<ScannedSessions> {
  const chunks: NearestChunk[] = [];
  const found = new Set<string>();
  const goOn = (): NearestScan => ({ ...scan, exceptSessionIds: [...(scan.exceptSessionIds ?? []), ...found] });
  const keep = (more: readonly NearestChunk[]): void => {
    chunks.push(...more);
    for (const { sessionId } of more) found.add(sessionId);
  };
  // A small space is compared exactly anyway: by session at once.
  const mostScans = place.segment === null ? 1 : MOST_SCANS;
  for (let count = 0; count < mostScans; count += 1) {
    const more = await scanSpace(client, place, goOn(), plan);
    keep(more);
    if (more.length < scan.limit) return { chunks, isCut: false };
    if (found.size >= sessions) return { chunks, isCut: true };
  }
  const limit = (sessions - found.size) * CHUNKS_OF_EACH;
  const rest = await scanNearestOfEach(client, place, { ...goOn(), limit }, CHUNKS_OF_EACH);
  keep(rest);
  return { chunks, isCut: rest.length >= limit };
}
