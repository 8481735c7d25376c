import { runCancellable, type CancellableOptions, type CancellablePools } from '@steward/database';
import { rethrowTimeout } from '../../rethrow-timeout.ts';
import type { NearestChunk, NearestQuery } from '../nearest-chunk.ts';
import { planScan } from '../rules/retrieval.ts';
import { requireUnitVector } from '../rules/unit-vector.ts';
import { withScan } from '../store/nearest-chunks.store.ts';
import { scanSpace } from './scan-space.ts';

/**
 * Returns the chunks nearest to a vector, best first: the requested number, or all that pass the filter if there are
 * fewer. Uses an exact scan for a small space or a selective filter; otherwise an index, followed by an exact scan if
 * the index returns too few chunks.
 * @throws RangeError for a vector that cannot be normalized or does not have `space.width` dimensions; AppError
 * `search_timeout`
 */
export function findNearestChunks(
  pools: CancellablePools,
  query: NearestQuery,
  options: CancellableOptions,
): Promise<readonly NearestChunk[]> {
  const { asOf, filter, limit, space } = query;
  const unitVector = requireUnitVector(query.vector, space.width);
  return runCancellable(pools, options, (client) =>
    withScan(client, space.id, async (place) => {
      const plan = planScan({ width: space.width, rows: place.segmentRows, limit });
      return (await scanSpace(client, place, { unitVector, filter, asOf, limit }, plan)).chunks;
    }),
  ).catch(rethrowTimeout);
}
