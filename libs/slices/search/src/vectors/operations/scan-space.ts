import type { PoolClient } from 'pg';
import type { NearestChunk } from '../nearest-chunk.ts';
import type { PlacedSpace } from '../placed-space.ts';
import { countCandidates, countFiltered, type ScanPlan } from '../rules/retrieval.ts';
import * as store from '../store/nearest-chunks.store.ts';

/**
 * The nearest chunks of a space, within `withScan`: exactly where the filter leaves few, else by the index, and exactly after
 * all when that comes back short.
 */
export async function scanSpace(
  client: PoolClient,
  place: PlacedSpace,
  scan: store.NearestScan,
  plan: ScanPlan,
): Promise<NearestChunk[]> {
  const { filter, limit } = scan;
  if (place.segment === null) return store.scanNearest(client, place, scan, 'exact');
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isFiltered) {
    const left = await store.estimateFiltered(client, { ...place, segment: place.segment }, filter);
    if (left <= plan.exactRows) return store.scanNearest(client, place, scan, 'exact');
  }
  const wanted = isFiltered ? countFiltered(limit) : limit;
  const candidates = countCandidates(isFiltered ? 2 * wanted : wanted);
  await store.tuneIndex(client, { candidates, mostTuples: plan.mostTuples });
  const found = await store.scanNearest(client, place, { ...scan, limit: wanted }, 'index');
  return found.length < wanted ? store.scanNearest(client, place, scan, 'exact') : found.slice(0, limit);
}
