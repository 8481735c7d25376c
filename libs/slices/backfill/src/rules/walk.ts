import type { NewWatermark, Place, StopReason, Watermark } from '../watermark.ts';

/**
 * Sessions untouched for longer than this before the last whole walk need not be read again. Generous: the clock of who stored may be
 * behind by an hour, and so may the database's since; what is stored is committed some time after it was stamped.
 */
const RECHECK_MS = 3 * 3_600_000;
/** What could not be made into chunks is tried again so long after the walk that met it, then after 2, 4, ... times that. */
const RETRY_MS = 3_600_000;
const MOST_RETRY_MS = 64 * RETRY_MS;
/** Before every session that started at the same time. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** A walk over an account's sessions, newest first, which may take many passes. */
export interface Walk {
  readonly startedAt: Date;
  /** The gap's when it began: it answers for what was stored unindexed until then. */
  readonly generation: number;
  /** Start of the last walk that came through. */
  readonly coveredUntil: Date | null;
  /** Only sessions touched since are read; undefined on the first walk. */
  readonly touchedSince: Date | undefined;
  /** Where it stands: the last session indexed whole. */
  readonly cursor: Place | undefined;
  readonly indexedFrom: Date | null;
  /** Time of the newest session of which something could not be made into chunks: the walk went past it. */
  readonly failedUntil: Date | undefined;
  /** How far back the last walk that came through went; null when it had no age bound. */
  readonly walkedSince: Date | null;
  /** Walks in a row that came through but for what could not be made into chunks. */
  readonly failedWalks: number;
  readonly written: number;
}

/**
 * What was stored without being indexed; undefined when nothing ever was. The generation rises with each such transaction, under a
 * lock: who reads one sees all that was stored up to it, which no time of a clock can say of what is not committed yet.
 */
export type Gap = { readonly generation: number } | undefined;

/**
 * A walk that came through is not repeated until something is stored without being indexed, or the age bound is wider than its
 * own was; or, when something could not be made into chunks, until an hour later.
 *
 * @param at.horizon - Sessions that started before are not walked; undefined without an age bound.
 */
export function needsWalk(
  known: Watermark | undefined,
  at: { readonly gap: Gap; readonly now: Date; readonly horizon?: Date | undefined },
): boolean {
  if (known !== undefined && hasFailed(known)) {
    const age = at.now.getTime() - known.lastPassAt.getTime();
    return hasGap(known, at.gap) || age >= retryAfter(known.failedWalks) || age < 0;
  }
  if (known?.state !== 'complete') return true;
  return hasGap(known, at.gap) || isWidened(known, at.horizon);
}

/** True when something was stored unindexed since the walk of the watermark began. */
export function hasGap(known: Pick<NewWatermark, 'walkGeneration'> | undefined, gap: Gap): boolean {
  return gap !== undefined && gap.generation > (known?.walkGeneration ?? 0);
}

function retryAfter(failedWalks: number): number {
  return Math.min(MOST_RETRY_MS, RETRY_MS * 2 ** Math.max(0, failedWalks - 1));
}

/** It came through, but not with everything. */
function hasFailed({ state, cursor, stopReason }: NewWatermark): boolean {
  return state === 'in_progress' && cursor === undefined && stopReason === 'failed';
}

function isWidened({ coveredUntil, walkedSince }: NewWatermark, horizon: Date | undefined): boolean {
  if (coveredUntil === null || walkedSince === null) return false;
  return horizon === undefined || horizon < walkedSince;
}

/**
 * The walk under way, or a new one; where only the age bound has become wider, one behind the end of the last.
 *
 * @param at.gap - Read before anything the walk reads.
 */
export function continueWalk(
  known: NewWatermark | undefined,
  at: { readonly now: Date; readonly horizon?: Date | undefined; readonly gap?: Gap },
): Walk {
  const coveredUntil = known?.coveredUntil ?? null;
  const start = findStart(known, at);
  const isWider = known !== undefined && isWidened(known, at.horizon);
  return {
    ...start,
    coveredUntil,
    // What is older than the last walk went was never read, however long it is untouched.
    touchedSince: coveredUntil === null || isWider ? undefined : new Date(coveredUntil.getTime() - RECHECK_MS),
    indexedFrom: known?.indexedFrom ?? null,
    failedUntil: start.cursor === undefined ? undefined : readFailedUntil(known),
    walkedSince: known?.walkedSince ?? null,
    failedWalks: known?.failedWalks ?? 0,
    written: known?.written ?? 0,
  };
}

/** At the latest: what the walk had not come to is older. */
function readFailedUntil(known: NewWatermark | undefined): Date | undefined {
  return known?.stopReason === 'failed' ? (known.indexedFrom ?? undefined) : undefined;
}

/** The walk over what could not be made into chunks. */
export function noteFailed(walk: Walk, sessions: readonly { readonly lastActivityAt: Date }[]): Walk {
  const times = sessions.map(({ lastActivityAt }) => lastActivityAt);
  return { ...walk, failedUntil: findLatest([walk.failedUntil, ...times]) };
}

export function findLatest(times: readonly (Date | null | undefined)[]): Date | undefined {
  const known = times.flatMap((time) => time?.getTime() ?? []);
  return known.length === 0 ? undefined : new Date(Math.max(...known));
}

function findStart(
  known: NewWatermark | undefined,
  { now, gap }: { readonly now: Date; readonly gap?: Gap },
): Pick<Walk, 'startedAt' | 'generation' | 'cursor'> {
  if (known?.state === 'in_progress' && known.cursor !== undefined)
    return { startedAt: known.walkStartedAt, generation: known.walkGeneration, cursor: known.cursor };
  if (known?.state === 'complete' && !hasGap(known, gap) && known.coveredUntil !== null && known.walkedSince !== null)
    return {
      startedAt: known.coveredUntil,
      generation: known.walkGeneration,
      cursor: { startedAt: known.walkedSince, id: FIRST_ID },
    };
  return { startedAt: now, generation: gap?.generation ?? 0, cursor: undefined };
}

/** The walk behind a session that is indexed whole. */
export function movePast(walk: Walk, session: Place): Walk {
  return { ...walk, cursor: { startedAt: session.startedAt, id: session.id } };
}

/** What is kept of a walk that goes on in a later pass. */
export function pauseWalk(walk: Walk, stopReason: StopReason): NewWatermark {
  return {
    state: 'in_progress',
    cursor: walk.cursor,
    written: walk.written,
    // Kept until the walk is through: a later pass does not meet it again. A walk without a cursor does, from its beginning.
    stopReason: walk.failedUntil !== undefined && walk.cursor !== undefined ? 'failed' : stopReason,
    walkStartedAt: walk.startedAt,
    walkGeneration: walk.generation,
    coveredUntil: walk.coveredUntil,
    indexedFrom: findLatest([walk.indexedFrom, walk.failedUntil]) ?? null,
    walkedSince: walk.walkedSince,
    failedWalks: walk.failedWalks,
  };
}

/**
 * What is kept of a walk that came through. It is complete unless something was stored without being indexed since it began;
 * then the next pass begins a new one. When something could not be made into chunks, it covers nothing: a later one reads all again.
 *
 * @param at.horizon - Sessions that started before were not walked; undefined without an age bound.
 * @param at.unread - Newest content of the sessions it would have read but for the age bound; undefined without such content.
 * @param at.unwalked - Newest content that the last walk left out for its age bound and nobody touched since.
 */
export function finishWalk(
  walk: Walk,
  at: {
    readonly gap: Gap;
    readonly horizon?: Date | undefined;
    readonly unread?: Date | undefined;
    readonly unwalked?: Date | undefined;
  },
): NewWatermark {
  const isWhole = walk.failedUntil === undefined;
  const isComplete = isWhole && !hasGap({ walkGeneration: walk.generation }, at.gap);
  return {
    state: isComplete ? 'complete' : 'in_progress',
    cursor: isComplete ? walk.cursor : undefined,
    written: walk.written,
    stopReason: isWhole ? 'finished' : 'failed',
    walkStartedAt: walk.startedAt,
    walkGeneration: walk.generation,
    coveredUntil: isWhole ? walk.startedAt : walk.coveredUntil,
    indexedFrom: findLatest([at.unread, at.unwalked, walk.failedUntil]) ?? null,
    walkedSince: isWhole ? findWalkedSince(walk, at) : walk.walkedSince,
    failedWalks: isWhole ? 0 : walk.failedWalks + 1,
  };
}

/** One that left nothing out answers for all that the last one came to, though its own age bound be narrower. */
function findWalkedSince(
  { touchedSince, walkedSince }: Walk,
  { horizon, unread }: { readonly horizon?: Date | undefined; readonly unread?: Date | undefined },
): Date | null {
  return touchedSince !== undefined && unread === undefined ? walkedSince : (horizon ?? null);
}
