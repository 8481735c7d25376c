import type { AnyDatabase } from '@steward/database';
import { listContentPlaces, listRuntimeSessions } from '@steward/sessions';
import { listSessionsWithContentChunks, type CorpusCoverage } from '@steward/search';
import { estimateChunks, estimateSeconds, type Pace } from '../rules/estimate-walk.ts';
import type { Walk } from '../rules/walk.ts';
import { findWatermark } from '../store/watermark.store.ts';
import type { Watermark } from '../watermark.ts';
import { countRemaining } from './count-remaining.ts';
import { readCoverage } from './read-coverage.ts';
import { readHorizon } from './read-horizon.ts';

/** Maximum number of sessions that are sampled; the result is extrapolated to all. */
const SAMPLED_SESSIONS = 1000;
/** Maximum number of sessions without chunks whose content is measured. */
const READ_SESSIONS = 50;
const READ_PLACES = 5000;

export interface BackfillState {
  readonly coverage: CorpusCoverage;
  /** Undefined before anything has been processed. */
  readonly watermark: Watermark | undefined;
  readonly remainingSessions: number;
  /** True if `remainingSessions` is a lower bound: at most 100,000 sessions are counted. */
  readonly isLeast: boolean;
  readonly sessionsWithoutChunks: number;
  readonly chunksPerSession: number;
  /** Estimated time that a running sweeper still needs, in seconds. */
  readonly estimatedSeconds: number;
}

/**
 * Returns the progress of the walk over an account, and the estimated remaining time. The cost is bounded for accounts
 * of any size: at most 100,000 sessions are counted, the newest 1,000 of them are looked up in the corpus, and the
 * content of at most 50 sessions without chunks is measured.
 */
export async function readBackfillState(
  db: AnyDatabase,
  { accountId, maxAgeDays, pace }: { readonly accountId: string; readonly maxAgeDays: number; readonly pace: Pace },
): Promise<BackfillState> {
  const horizon = await readHorizon(db, maxAgeDays);
  const [coverage, watermark] = [await readCoverage(db, accountId), await findWatermark(db, accountId)];
  const [remaining] = await countRemaining(db, { accountIds: [accountId], horizon });
  const known = {
    coverage,
    watermark,
    remainingSessions: remaining?.sessions ?? 0,
    isLeast: remaining?.isLeast ?? false,
  };
  // If all content of an account was indexed on write, its first walk finds nothing to index, so nothing remains.
  const isWhole = watermark === undefined && coverage.backfillComplete;
  if (isWhole || remaining?.walk === undefined || remaining.sessions === 0)
    return {
      ...known,
      remainingSessions: 0,
      isLeast: false,
      sessionsWithoutChunks: 0,
      chunksPerSession: 0,
      estimatedSeconds: 0,
    };
  const { share, chunksPerSession } = await sample(db, { accountId, horizon, walk: remaining.walk });
  const sessionsWithoutChunks = Math.round(remaining.sessions * share);
  const backlog = { sessionsWithoutChunks, chunksPerSession };
  return { ...known, ...backlog, estimatedSeconds: estimateSeconds(backlog, pace) };
}

async function sample(
  db: AnyDatabase,
  { accountId, horizon, walk }: { readonly accountId: string; readonly horizon: Date | undefined; readonly walk: Walk },
): Promise<{ readonly share: number; readonly chunksPerSession: number }> {
  const { cursor: after, touchedSince } = walk;
  const page = { accountId, since: horizon, touchedSince, after, limit: SAMPLED_SESSIONS };
  const sessions = await listRuntimeSessions(db, page);
  const ids = sessions.map(({ id }) => id);
  const indexed = await listSessionsWithContentChunks(db, accountId, ids);
  const missing = ids.filter((id) => !indexed.has(id));
  const sessionIds = missing.slice(0, READ_SESSIONS);
  const places = await listContentPlaces(db, { accountId, sessionIds, after: undefined, limit: READ_PLACES });
  // A truncated list ends within a session, and the sessions after it were not read.
  const read = places.length < READ_PLACES ? sessionIds.length : new Set(places.map(({ sessionId }) => sessionId)).size;
  const chunks = places.reduce((sum, { sizeBytes }) => sum + estimateChunks(sizeBytes), 0);
  return {
    share: sessions.length === 0 ? 0 : missing.length / sessions.length,
    chunksPerSession: read === 0 ? 0 : Math.round((chunks / read) * 10) / 10,
  };
}
