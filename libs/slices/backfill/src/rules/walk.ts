import type { NewWatermark, Place, StopReason } from '../watermark.ts';

/** Sessions untouched for longer than this before the last whole walk need not be read again. Generous: clocks differ. */
const RECHECK_MS = 3_600_000;

/** A walk over an account's sessions, newest first, which may take many passes. */
export interface Walk {
  readonly startedAt: Date;
  /** Start of the last walk that came through. */
  readonly coveredUntil: Date | null;
  /** Only sessions touched since are read; undefined on the first walk. */
  readonly touchedSince: Date | undefined;
  /** Where it stands: the last session indexed whole. */
  readonly cursor: Place | undefined;
  readonly indexedFrom: Date | null;
  readonly written: number;
}

/** What was stored without being indexed; undefined when nothing ever was. */
export type Gap = { readonly lastStoredAt: Date } | undefined;

/** A walk that came through is not repeated until something is stored without being indexed. */
export function needsWalk(known: NewWatermark | undefined, gap: Gap): boolean {
  if (known?.state !== 'complete') return true;
  return gap !== undefined && (known.coveredUntil === null || gap.lastStoredAt >= known.coveredUntil);
}

/**
 * The walk under way, or a new one.
 *
 * @param settleSeconds - What was stored so shortly before a walk may not be committed yet: it does not answer for that.
 */
export function continueWalk(
  known: NewWatermark | undefined,
  { now, settleSeconds }: { readonly now: Date; readonly settleSeconds: number },
): Walk {
  const cursor = known?.state === 'in_progress' ? known.cursor : undefined;
  const coveredUntil = known?.coveredUntil ?? null;
  const settled = new Date(now.getTime() - settleSeconds * 1000);
  return {
    startedAt: cursor === undefined || known === undefined ? settled : known.walkStartedAt,
    coveredUntil,
    touchedSince: coveredUntil === null ? undefined : new Date(coveredUntil.getTime() - RECHECK_MS),
    cursor,
    indexedFrom: known?.indexedFrom ?? null,
    written: known?.written ?? 0,
  };
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
    stopReason,
    walkStartedAt: walk.startedAt,
    coveredUntil: walk.coveredUntil,
    indexedFrom: walk.indexedFrom,
  };
}

/**
 * What is kept of a walk that came through. It is complete unless something was stored without being indexed since it began;
 * then the next pass begins a new one.
 *
 * @param at.beyond - Newest content older than the age bound, which is never walked; undefined without such content.
 */
export function finishWalk(walk: Walk, at: { readonly gap: Gap; readonly beyond: Date | undefined }): NewWatermark {
  const isComplete = at.gap === undefined || at.gap.lastStoredAt < walk.startedAt;
  return {
    state: isComplete ? 'complete' : 'in_progress',
    cursor: isComplete ? walk.cursor : undefined,
    written: walk.written,
    stopReason: 'finished',
    walkStartedAt: walk.startedAt,
    coveredUntil: walk.startedAt,
    indexedFrom: at.beyond ?? null,
  };
}
