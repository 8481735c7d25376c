import type { NewWatermark, Place, StopReason, Watermark } from '../watermark.ts';

/**
 * Margin in milliseconds: unless the age limit was extended, a later walk does not read sessions that last changed more
 * than this long before the last completed walk started. The margin is generous: the writer's clock may be an hour
 * slow, the database's clock may have been set back since, and a transaction commits some time after its timestamp.
 */
const RECHECK_MS = 3 * 3_600_000;
/** Time in milliseconds after which failed content is tried again; it doubles with each further failed walk. */
const RETRY_MS = 3_600_000;
const MOST_RETRY_MS = 64 * RETRY_MS;
/** An id that sorts before the ids of all sessions. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** A walk over an account's sessions, newest first, which may take many passes. */
export interface Walk {
  readonly startedAt: Date;
  /** Generation of the gap when the walk began: the walk covers all content stored unindexed up to this generation. */
  readonly generation: number;
  /** Start of the last completed walk. */
  readonly coveredUntil: Date | null;
  /**
   * The walk reads only sessions that have changed since this time; undefined if it reads all sessions, because no walk
   * has been completed yet or the age limit was extended.
   */
  readonly touchedSince: Date | undefined;
  /**
   * Position after which the walk continues: the last completely processed session or, if only the age limit was
   * extended, the previous age limit.
   */
  readonly cursor: Place | undefined;
  readonly indexedFrom: Date | null;
  /** Time of the latest activity in the sessions that the walk has read so far and that have failed content. */
  readonly failedUntil: Date | undefined;
  /** Age limit of the last completed walk; null if it had none. */
  readonly walkedSince: Date | null;
  /** Number of consecutive walks that completed, but with failed content. */
  readonly failedWalks: number;
  readonly written: number;
}

/**
 * Content that was stored unindexed; undefined if there never was any. Each transaction that stores such content raises
 * the generation, under a lock: a transaction that reads a generation sees everything that was stored up to this
 * generation. A timestamp could not guarantee this, because some rows with earlier timestamps may not be committed yet.
 */
export type Gap = { readonly generation: number } | undefined;

/**
 * Returns whether an account needs a walk. A completed walk is repeated only if content was stored unindexed or the age
 * limit was extended; a walk with failed content is also repeated after a delay.
 *
 * @param at.horizon - Sessions that started earlier are not processed; undefined without an age limit.
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

/** Returns true if content was stored unindexed since the walk of the watermark began. */
export function hasGap(known: Pick<NewWatermark, 'walkGeneration'> | undefined, gap: Gap): boolean {
  return gap !== undefined && gap.generation > (known?.walkGeneration ?? 0);
}

function retryAfter(failedWalks: number): number {
  return Math.min(MOST_RETRY_MS, RETRY_MS * 2 ** Math.max(0, failedWalks - 1));
}

/** Returns true if the walk completed, but with failed content. */
function hasFailed({ state, cursor, stopReason }: NewWatermark): boolean {
  return state === 'in_progress' && cursor === undefined && stopReason === 'failed';
}

function isWidened({ coveredUntil, walkedSince }: NewWatermark, horizon: Date | undefined): boolean {
  if (coveredUntil === null || walkedSince === null) return false;
  return horizon === undefined || horizon < walkedSince;
}

/**
 * Returns the walk in progress, or a new one; if only the age limit was extended, the new walk starts where the last
 * one ended.
 * @param at.gap - The gap, read before any content that the walk reads.
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
    // If the age limit was extended, unchanged content must be read, too: the last walk omitted content that was older
    // than its age limit.
    touchedSince: coveredUntil === null || isWider ? undefined : new Date(coveredUntil.getTime() - RECHECK_MS),
    indexedFrom: known?.indexedFrom ?? null,
    failedUntil: start.cursor === undefined ? undefined : readFailedUntil(known),
    walkedSince: known?.walkedSince ?? null,
    failedWalks: known?.failedWalks ?? 0,
    written: known?.written ?? 0,
  };
}

/**
 * Returns a time that is not earlier than that of any failed content, since `pauseWalk` has included `failedUntil` in
 * `indexedFrom`; undefined if no content failed.
 */
function readFailedUntil(known: NewWatermark | undefined): Date | undefined {
  return known?.stopReason === 'failed' ? (known.indexedFrom ?? undefined) : undefined;
}

/** Records failed content in the walk. */
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

/** Moves the walk past a completely processed session, even if some content of the session could not be indexed. */
export function movePast(walk: Walk, session: Place): Walk {
  return { ...walk, cursor: { startedAt: session.startedAt, id: session.id } };
}

/** Returns the watermark of a walk that continues in a later pass. */
export function pauseWalk(walk: Walk, stopReason: StopReason): NewWatermark {
  return {
    state: 'in_progress',
    cursor: walk.cursor,
    written: walk.written,
    // The failure is stored until the walk is complete, because a later pass does not read the content again. A walk
    // without a cursor does read it again, since it starts from the beginning.
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
 * Returns the watermark of a walk that has reached its end. If content was stored unindexed since the walk began, the
 * walk is not complete, and the next pass begins a new one. If some content could not be indexed, the walk covers
 * nothing: a later walk reads these sessions again.
 *
 * @param at.horizon - Sessions that started earlier were not processed; undefined without an age limit.
 * @param at.unread - Time of the newest content of the sessions omitted because of the age limit; undefined without
 * such content.
 * @param at.unwalked - Time of the newest content that the last walk omitted because of its age limit and that has not
 * changed since.
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

/**
 * Returns the age limit for the watermark of a completed walk. A walk that omitted nothing covers everything that the
 * last one covered, even if its own age limit is shorter.
 */
function findWalkedSince(
  { touchedSince, walkedSince }: Walk,
  { horizon, unread }: { readonly horizon?: Date | undefined; readonly unread?: Date | undefined },
): Date | null {
  return touchedSince !== undefined && unread === undefined ? walkedSince : (horizon ?? null);
}
