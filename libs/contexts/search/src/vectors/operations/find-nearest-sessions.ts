import { runCancellable, type CancellableOptions, type CancellablePools } from '@steward/database';
import { parseQuery } from '../../keyword/store/parse-query.store.ts';
import { rethrowTimeout } from '../../rethrow-timeout.ts';
import type { NearestQuery } from '../nearest-chunk.ts';
import { planScan } from '../rules/retrieval.ts';
import { requireUnitVector } from '../rules/unit-vector.ts';
import { withScan } from '../store/nearest-chunks.store.ts';
import { scanSessions, type ScannedSessions } from './scan-sessions.ts';

export interface NearestSessionsQuery extends Omit<NearestQuery, 'limit'> {
  /** Number of sessions to search for at first. */
  readonly sessions: number;
  /** Number of sessions that a second scan searches for, if the first one finds fewer; default: `sessions`. */
  readonly enough?: number | undefined;
  /** Words that none of the returned chunks may contain, in web-search syntax. */
  readonly excluded?: string | undefined;
}

/** Number of chunks read per requested session, since several of the nearest chunks may belong to one session. */
const CHUNKS_PER_SESSION = 2;

/**
 * Returns the chunks of the sessions nearest to a vector: of the requested number of sessions, or of all sessions that
 * pass the filter if there are fewer.
 * @throws RangeError for a vector that cannot be normalized or does not have `space.width` dimensions; AppError
 * `search_timeout`
 */
export function findNearestSessions(
  pools: CancellablePools,
  query: NearestSessionsQuery,
  options: CancellableOptions,
): Promise<ScannedSessions> {
  const { asOf, filter, sessions, enough = sessions, space } = query;
  const unitVector = requireUnitVector(query.vector, space.width);
  const limit = sessions * CHUNKS_PER_SESSION;
  return runCancellable(pools, options, async (client) => {
    const tsquery =
      query.excluded === undefined
        ? undefined
        : (await parseQuery(client, query.excluded, false, { isExcluded: true }))?.tsquery;
    const excluded = tsquery === undefined ? undefined : { accountId: space.accountId, tsquery };
    return withScan(client, space.id, (place) => {
      const plan = planScan({ width: space.width, rows: place.segmentRows, limit });
      return scanSessions(client, place, { unitVector, filter, asOf, limit, sessions: enough, excluded }, plan);
    });
  }).catch(rethrowTimeout);
}
