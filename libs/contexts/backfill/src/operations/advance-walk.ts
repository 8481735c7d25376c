import { readDatabaseTime, transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import { findUnindexedContent, type ContentObjects } from '@steward/sessions';
import { isResting } from '../rules/order-accounts.ts';
import { continueWalk, findLatest, FIRST_ID, finishWalk, needsWalk, type Walk } from '../rules/walk.ts';
import { findWatermark, upsertWatermark } from '../store/watermark.store.ts';
import type { WalkBudget } from '../walk-budget.ts';
import type { StopReason } from '../watermark.ts';
import { findUncovered } from './find-uncovered.ts';
import { holdAccount } from './hold-account.ts';
import { readBatch, type Batch, type FailedSource, type ReadPlace } from './read-batch.ts';
import { writeBatch } from './write-batch.ts';

export interface WalkDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  /** Object store with large bodies of content; undefined if there is none. */
  readonly contentObjects?: ContentObjects | undefined;
}

export interface WalkRequest {
  readonly accountId: string;
  /** Sessions that started earlier are not walked; undefined without an age limit. */
  readonly horizon: Date | undefined;
  /**
   * The account is skipped if its walk was advanced after this time. If undefined, the account is walked in any case.
   */
  readonly restedSince?: Date;
  readonly budget: WalkBudget;
  /**
   * Number of rows that all sweepers together may write in an interval; if undefined, the rows of this walk are not
   * counted, and have no common limit.
   */
  readonly mostPassRows?: number;
  readonly traceparent: string;
  readonly signal: AbortSignal;
  /** Called for each source that could not be split into chunks. */
  readonly onFailed?: (source: FailedSource) => void;
}

/**
 * Number of sources per transaction. The sources share the cost of one commit; another transaction that changes the
 * title of a session waits for one such transaction at most.
 */
const SOURCES_PER_BATCH = 400;

/**
 * Walks one account's sessions, newest first, from where the last pass stopped, and writes the missing chunks. The
 * watermark only moves past completely processed sessions: if the budget ends a walk within a session, the next walk
 * reads this session again, but writes nothing twice. Returns why the walk stopped, or `complete` if there is nothing
 * to walk. Returns `failed` also if it is too early to try failed content again, and `busy` if the account was deleted
 * or another sweeper is walking or has just walked it.
 */
export async function advanceWalk(deps: WalkDeps, request: WalkRequest): Promise<StopReason | 'busy' | 'complete'> {
  const { accountId, horizon, restedSince } = request;
  const known = await findWatermark(deps.db, accountId);
  const now = await readDatabaseTime(deps.db);
  if (restedSince !== undefined && isResting(known, { now, restedSince })) return 'busy';
  // The gap is read before any content: content that is stored unindexed after this read has a higher generation.
  const gap = await findUnindexedContent(deps.db, accountId);
  const at = { gap, now, horizon };
  if (!needsWalk(known, at)) return known?.state === 'complete' ? 'complete' : 'failed';
  let walk = await openWalk(deps.db, accountId, continueWalk(known, at));
  let keptAt = known?.lastPassAt;
  let isFirst = true;
  let reading = readAhead(deps, request, { walk, at: { behind: walk.cursor, within: undefined } });
  for (;;) {
    const batch = await reading;
    const rows = batch.sources.reduce((sum, { chunks }) => sum + chunks.length, 0);
    // The next batch is read while this one is written, unless this is the last batch of the pass.
    const isLast = batch.next === undefined || request.budget.left() <= rows;
    const ahead = isLast ? undefined : readAhead(deps, request, { walk, at: batch.next, rows });
    const outcome = await writeBatch(deps, request, { batch, walk, keptAt, isFirst }).finally(() =>
      ahead?.catch(() => undefined),
    );
    if (outcome.kind === 'busy') return 'busy';
    if (outcome.kind === 'stopped') return outcome.reason;
    ({ walk, keptAt } = outcome);
    isFirst = false;
    if (batch.next === undefined) return finish(deps, request, { walk, keptAt });
    reading = ahead ?? readAhead(deps, request, { walk, at: batch.next });
  }
}

function readAhead(
  deps: WalkDeps,
  { accountId, horizon, budget }: WalkRequest,
  { walk, at, rows = 0 }: { readonly walk: Walk; readonly at: ReadPlace; readonly rows?: number },
): Promise<Batch> {
  const mostSources = Math.max(1, Math.min(SOURCES_PER_BATCH, budget.left() - rows));
  return readBatch(deps, { accountId, since: horizon, touchedSince: walk.touchedSince, at, mostSources });
}

/**
 * Opens a walk. For a new walk, determines the time from which the corpus is complete: the time of the newest content
 * that is still to be read or is omitted because of its age.
 */
async function openWalk(db: AnyDatabase, accountId: string, walk: Walk): Promise<Walk> {
  if (walk.cursor !== undefined) return walk;
  const { unread, unwalked } = await findUncovered(db, accountId, {
    walk,
    before: { startedAt: LAST_TIME, id: FIRST_ID },
  });
  return { ...walk, indexedFrom: findLatest([unread, unwalked]) ?? walk.indexedFrom };
}

const LAST_TIME = new Date('9999-12-31T00:00:00Z');

async function finish(
  deps: WalkDeps,
  { accountId, horizon }: WalkRequest,
  { walk, keptAt }: { readonly walk: Walk; readonly keptAt: Date | undefined },
): Promise<'finished' | 'failed' | 'busy'> {
  return transact(deps, async (trx) => {
    if (!(await holdAccount(trx, accountId, keptAt))) return 'busy';
    const gap = await findUnindexedContent(trx, accountId);
    const older = horizon && { walk, before: { startedAt: horizon, id: FIRST_ID } };
    const left = older && (await findUncovered(trx, accountId, older));
    await upsertWatermark(trx, accountId, finishWalk(walk, { ...left, gap, horizon }));
    return walk.failedUntil === undefined ? 'finished' : 'failed';
  });
}
