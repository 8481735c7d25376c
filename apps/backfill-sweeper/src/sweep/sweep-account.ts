import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Clock } from '@steward/runtime';
import {
  findWatermark,
  readDatabaseTime,
  tryLockAccount,
  upsertWatermark,
  type PassStopReason,
  type WatermarkTable,
} from '@steward/slice-backfill';
import {
  findLatestActivityBefore,
  findUnindexedContent,
  listRuntimeSessions,
  listSessionChunkSources,
  type RuntimeSession,
} from '@steward/slice-gateway';
import { listIndexedSources, writeChunks } from '@steward/slice-search';
import type { PassBudget } from './pass-budget.ts';

export interface SweepDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
}

export interface SweepRequest {
  readonly accountId: string;
  /** Sessions that started before are not walked; undefined without an age bound. */
  readonly horizon: Date | undefined;
  /** What was stored so shortly before a walk may not be committed yet: the walk does not answer for it. */
  readonly settleSeconds: number;
  readonly budget: PassBudget;
  readonly signal: AbortSignal;
}

const SESSIONS_PER_PAGE = 50;
const SOURCES_PER_PAGE = 100;
/** Sessions untouched for longer than this before the last whole walk need not be read again. Generous: clocks differ. */
const RECHECK_MS = 3_600_000;

/** A walk over an account, which may take many passes. */
interface Walk {
  readonly startedAt: Date;
  /** Start of the last walk that came through. */
  readonly coveredUntil: Date | null;
  readonly touchedSince: Date | undefined;
  /** Where it stands: the last session indexed whole. */
  readonly cursor: Place | undefined;
  readonly indexedFrom: Date | null;
  readonly written: number;
}

interface Place {
  readonly startedAt: Date;
  readonly id: string;
}

/**
 * Walks one account's sessions newest first from where the last pass stopped, and writes the chunks that are missing.
 * The watermark moves only past sessions that are indexed whole: a session cut short by the budget is read again, and
 * writes nothing twice. A walk that came through is not repeated until something is stored without being indexed.
 */
export async function sweepAccount(
  deps: SweepDeps,
  request: SweepRequest,
): Promise<PassStopReason | 'busy' | 'complete'> {
  const known = await findWatermark(deps.db, request.accountId);
  if (known?.state === 'complete' && !(await hasNewGap(deps, request.accountId, known))) return 'complete';
  request.budget.startAccount();
  let walk = await continueWalk(deps, request, known);
  for (;;) {
    const sessions = await listRuntimeSessions(deps.db, {
      accountId: request.accountId,
      since: request.horizon,
      touchedSince: walk.touchedSince,
      after: walk.cursor,
      limit: SESSIONS_PER_PAGE,
    });
    for (const session of sessions) {
      const outcome = await sweepSession(deps, request, { session, walk });
      if (outcome.kind === 'busy') return 'busy';
      walk = { ...walk, written: outcome.written };
      if (outcome.kind === 'stopped') return outcome.reason;
      walk = { ...walk, cursor: { startedAt: session.startedAt, id: session.id } };
    }
    if (sessions.length === 0) return finish(deps, request, walk);
  }
}

async function hasNewGap(deps: SweepDeps, accountId: string, known: WatermarkTable): Promise<boolean> {
  const unindexed = await findUnindexedContent(deps.db, accountId);
  return unindexed !== undefined && (known.covered_until === null || unindexed.lastStoredAt >= known.covered_until);
}

/** The walk under way, or a new one. */
async function continueWalk(deps: SweepDeps, request: SweepRequest, known: WatermarkTable | undefined): Promise<Walk> {
  const cursor = known?.state === 'in_progress' ? readCursor(known) : undefined;
  const coveredUntil = known?.covered_until ?? null;
  const now = await readDatabaseTime(deps.db);
  return {
    startedAt:
      cursor === undefined || known === undefined
        ? new Date(now.getTime() - request.settleSeconds * 1000)
        : known.walk_started_at,
    coveredUntil,
    touchedSince: coveredUntil === null ? undefined : new Date(coveredUntil.getTime() - RECHECK_MS),
    cursor,
    indexedFrom: known?.indexed_from ?? null,
    written: known?.sources_written ?? 0,
  };
}

type SessionOutcome =
  | { readonly kind: 'indexed'; readonly written: number }
  | { readonly kind: 'stopped'; readonly written: number; readonly reason: PassStopReason }
  | { readonly kind: 'busy' };

/** One page of sources per transaction: a budget stop or a crash loses nothing that was written. */
async function sweepSession(
  deps: SweepDeps,
  request: SweepRequest,
  at: { readonly session: RuntimeSession; readonly walk: Walk },
): Promise<SessionOutcome> {
  const { session, walk } = at;
  let { written } = walk;
  let after: Awaited<ReturnType<typeof listSessionChunkSources>>['next'];
  do {
    const reason = request.signal.aborted ? 'pass_seconds' : request.budget.exhausted();
    const page = after === undefined ? { limit: SOURCES_PER_PAGE } : { after, limit: SOURCES_PER_PAGE };
    const outcome = await transact(deps, async (trx, hints) => {
      if (!(await tryLockAccount(trx, request.accountId))) return { kind: 'busy' as const };
      if (reason !== undefined) {
        const indexedFrom = await findUncoveredEnd(trx, request, walk);
        await saveWalk(trx, deps, request.accountId, { walk: { ...walk, written, indexedFrom }, reason });
        return { kind: 'stopped' as const };
      }
      const { sources, next } = await listSessionChunkSources(trx, session, page);
      const indexed = await listIndexedSources(trx, request.accountId, sources);
      // A title may have changed while indexing was off: its text is compared, which of all others only the id needs to be.
      const missing = sources.filter(
        ({ sourceKind, sourceId }) => sourceKind === 'session_summary' || !indexed.has(`${sourceKind}:${sourceId}`),
      );
      const result = await writeChunks(trx, hints, missing);
      if (next === undefined) {
        const cursor = { startedAt: session.startedAt, id: session.id };
        const moved = { ...walk, cursor, written: written + result.written };
        await saveWalk(trx, deps, request.accountId, { walk: moved, reason: 'account_rows' });
      }
      return { kind: 'indexed' as const, next, sources: result.written, chunks: result.chunks };
    });
    if (outcome.kind === 'busy') return outcome;
    if (outcome.kind === 'stopped') return { kind: 'stopped', written, reason: reason ?? 'pass_seconds' };
    request.budget.spend(outcome.chunks);
    written += outcome.sources;
    after = outcome.next;
  } while (after !== undefined);
  return { kind: 'indexed', written };
}

/** Time of the newest content the walk has not come to: from there on the corpus is complete. */
async function findUncoveredEnd(trx: AnyDatabase, request: SweepRequest, walk: Walk): Promise<Date | null> {
  if (walk.cursor === undefined) return walk.indexedFrom;
  const { accountId } = request;
  const { cursor: before, touchedSince } = walk;
  return (await findLatestActivityBefore(trx, { accountId, before, touchedSince })) ?? null;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

async function finish(deps: SweepDeps, request: SweepRequest, walk: Walk): Promise<PassStopReason> {
  const { accountId, horizon } = request;
  const unindexed = await findUnindexedContent(deps.db, accountId);
  const isComplete = unindexed === undefined || unindexed.lastStoredAt < walk.startedAt;
  const beyond =
    horizon === undefined
      ? undefined
      : await findLatestActivityBefore(deps.db, { accountId, before: { startedAt: horizon, id: FIRST_ID } });
  const now = deps.clock.now();
  await upsertWatermark(deps.db, {
    account_id: accountId,
    state: isComplete ? 'complete' : 'in_progress',
    cursor_started_at: isComplete ? (walk.cursor?.startedAt ?? null) : null,
    cursor_session_id: isComplete ? (walk.cursor?.id ?? null) : null,
    sources_written: walk.written,
    last_pass_at: now,
    stop_reason: 'finished',
    completed_at: isComplete ? now : null,
    walk_started_at: walk.startedAt,
    covered_until: walk.startedAt,
    indexed_from: beyond ?? null,
  });
  return 'finished';
}

async function saveWalk(
  trx: AnyDatabase,
  deps: Pick<SweepDeps, 'clock'>,
  accountId: string,
  at: { readonly walk: Walk; readonly reason: PassStopReason },
): Promise<void> {
  const { walk, reason } = at;
  await upsertWatermark(trx, {
    account_id: accountId,
    state: 'in_progress',
    cursor_started_at: walk.cursor?.startedAt ?? null,
    cursor_session_id: walk.cursor?.id ?? null,
    sources_written: walk.written,
    last_pass_at: deps.clock.now(),
    stop_reason: reason,
    completed_at: null,
    walk_started_at: walk.startedAt,
    covered_until: walk.coveredUntil,
    indexed_from: walk.indexedFrom,
  });
}

function readCursor(watermark: WatermarkTable | undefined): Place | undefined {
  const { cursor_started_at: startedAt, cursor_session_id: id } = watermark ?? {};
  return startedAt === null || startedAt === undefined || id === null || id === undefined
    ? undefined
    : { startedAt, id };
}
