import type { Clock } from '@steward/async';
import { readDatabaseTime, type AnyDatabase, type HintPublisher } from '@steward/database';
import { findLatestActivityBefore, findUnindexedContent, listRuntimeSessions } from '@steward/slice-sessions';
import { continueWalk, finishWalk, movePast, needsWalk, type Walk } from '../rules/walk.ts';
import { findWatermark, upsertWatermark } from '../store/watermark.store.ts';
import type { WalkBudget } from '../walk-budget.ts';
import type { StopReason } from '../watermark.ts';
import { indexSession } from './index-session.ts';

export interface WalkDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
}

export interface WalkRequest {
  readonly accountId: string;
  /** Sessions that started before are not walked; undefined without an age bound. */
  readonly horizon: Date | undefined;
  /** What was stored so shortly before a walk may not be committed yet: the walk does not answer for it. */
  readonly settleSeconds: number;
  readonly budget: WalkBudget;
  readonly traceparent: string;
  readonly signal: AbortSignal;
}

const SESSIONS_PER_PAGE = 50;

/**
 * Walks one account's sessions newest first from where the last pass stopped, and writes the chunks that are missing.
 * The watermark moves only past sessions that are indexed whole: a session cut short by the budget is read again, and
 * writes nothing twice. Says why it stopped; `busy` when another sweeper walks the account.
 */
export async function advanceWalk(deps: WalkDeps, request: WalkRequest): Promise<StopReason | 'busy' | 'complete'> {
  const { accountId, settleSeconds } = request;
  const known = await findWatermark(deps.db, accountId);
  const gap = known?.state === 'complete' ? await findUnindexedContent(deps.db, accountId) : undefined;
  if (!needsWalk(known, gap)) return 'complete';
  // The database's clock: what the walk answers for is stamped by it.
  let walk = continueWalk(known, { now: await readDatabaseTime(deps.db), settleSeconds });
  for (;;) {
    const sessions = await listRuntimeSessions(deps.db, {
      accountId,
      since: request.horizon,
      touchedSince: walk.touchedSince,
      after: walk.cursor,
      limit: SESSIONS_PER_PAGE,
    });
    for (const session of sessions) {
      const outcome = await indexSession(deps, request, { session, walk });
      if (outcome.kind === 'busy') return 'busy';
      if (outcome.kind === 'stopped') return outcome.reason;
      walk = movePast({ ...walk, written: outcome.written }, session);
    }
    if (sessions.length === 0) return finish(deps, request, walk);
  }
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

async function finish(deps: WalkDeps, { accountId, horizon }: WalkRequest, walk: Walk): Promise<'finished'> {
  const gap = await findUnindexedContent(deps.db, accountId);
  const before = { startedAt: horizon ?? new Date(0), id: FIRST_ID };
  const beyond = horizon === undefined ? undefined : await findLatestActivityBefore(deps.db, { accountId, before });
  await upsertWatermark(deps.db, accountId, finishWalk(walk, { now: deps.clock.now(), gap, beyond }));
  return 'finished';
}
