import type { Watermark } from '../watermark.ts';
import { continueWalk, finishWalk, movePast, needsWalk, noteFailed, pauseWalk } from './walk.ts';

const at = (day: number) => new Date(Date.UTC(2026, 9, day));
const place = (day: number) => ({ startedAt: at(day), id: `session-${day}` });
const START = { now: at(20) };
const mark = (facts: Partial<Watermark>): Watermark => ({
  state: 'in_progress',
  cursor: undefined,
  written: 0,
  lastPassAt: at(19),
  stopReason: 'account_rows',
  completedAt: null,
  walkStartedAt: at(10),
  coveredUntil: null,
  indexedFrom: null,
  walkedSince: null,
  walkGeneration: 9,
  failedWalks: 1,
  ...facts,
});
const failed = (lastPassAt: Date) => mark({ stopReason: 'failed', lastPassAt });
const complete = mark({ state: 'complete', cursor: place(1), coveredUntil: at(10) });

describe('the decision whether an account is indexed', () => {
  it.each([
    ['with no backfill yet', undefined, undefined, true],
    ['with a failed backfill less than an hour ago', failed(at(20)), { generation: 9 }, false],
    ['with a failed backfill and a gap since then', failed(at(20)), { generation: 10 }, true],
    ['with a failed backfill long ago', failed(at(19)), undefined, true],
    ['with a failed backfill before the clock was set back', failed(at(21)), undefined, true],
    [
      'with an incomplete backfill that failed',
      mark({ cursor: place(5), stopReason: 'failed', lastPassAt: at(20) }),
      undefined,
      true,
    ],
    ['with an incomplete backfill', mark({ cursor: place(5) }), undefined, true],
    ['with a complete backfill', complete, undefined, false],
    ['with a complete backfill and a gap from before it began', complete, { generation: 9 }, false],
    ['with a complete backfill and a gap committed after it began', complete, { generation: 10 }, true],
    ['with a complete backfill and a later gap', complete, { generation: 12 }, true],
    [
      'with a complete backfill that does not record its end',
      { ...complete, walkGeneration: 0 },
      { generation: 1 },
      true,
    ],
  ])('%s', (_what, known, gap, expected) => {
    expect(needsWalk(known, { gap, now: at(20) })).toBe(expected);
  });
});

describe('a backfill after a change of the age limit', () => {
  const bounded = { ...complete, walkedSince: at(4) };

  it.each([
    ['wider', at(3), true],
    ['gone', undefined, true],
    ['the same, as time goes on', at(5), false],
  ])('is necessary again only if the new limit reaches further back: %s', (_what, horizon, expected) => {
    expect(needsWalk(bounded, { gap: undefined, now: at(20), horizon })).toBe(expected);
  });

  it('reads content older than the end of the previous one, and covers nothing newer than that one did', () => {
    const walk = continueWalk(bounded, { ...START, horizon: at(2) });
    expect(walk).toMatchObject({ startedAt: at(10), touchedSince: undefined, cursor: { startedAt: at(4) } });
    const later = continueWalk(pauseWalk(movePast(walk, place(3)), 'account_rows'), { ...START, horizon: at(2) });
    expect(later).toMatchObject({ startedAt: at(10), touchedSince: undefined, cursor: place(3) });
    expect(finishWalk(later, { gap: undefined, horizon: at(2) })).toMatchObject({
      state: 'complete',
      coveredUntil: at(10),
      walkedSince: at(2),
    });
  });

  it('reads everything if other content was stored without being indexed', () => {
    const walk = continueWalk(bounded, { ...START, horizon: at(2), gap: { generation: 12 } });
    expect([walk.cursor, walk.touchedSince]).toEqual([undefined, undefined]);
  });
});

describe('a backfill over several passes', () => {
  it('covers content that was stored before it began', () => {
    expect(continueWalk(undefined, { ...START, gap: { generation: 7 } })).toMatchObject({
      startedAt: at(20),
      generation: 7,
    });
  });

  it('is repeated after 1, 2, 4, ... 64 hours if it contains content that cannot be split (CORP-19)', () => {
    const hours = [1, 2, 3, 8, 20].map((failedWalks) => {
      const known = mark({ stopReason: 'failed', lastPassAt: at(1), failedWalks });
      for (let hour = 1; ; hour += 1) {
        const now = new Date(at(1).getTime() + hour * 3_600_000);
        if (needsWalk(known, { gap: undefined, now })) return hour;
      }
    });
    expect(hours).toEqual([1, 2, 4, 64, 64]);
  });

  it('counts its repetitions until one completes without such content (CORP-19)', () => {
    const walk = continueWalk(mark({ stopReason: 'failed', failedWalks: 3 }), START);
    const failing = noteFailed(walk, [{ lastActivityAt: at(2) }]);
    expect(pauseWalk(failing, 'account_rows').failedWalks).toBe(3);
    expect(finishWalk(failing, { gap: undefined }).failedWalks).toBe(4);
    expect(finishWalk(walk, { gap: undefined }).failedWalks).toBe(0);
  });

  it('resumes from its position, with its start time and its count', () => {
    const walk = movePast({ ...continueWalk(undefined, START), written: 7 }, place(5));
    const kept = pauseWalk(walk, 'account_rows');
    expect(kept).toMatchObject({ state: 'in_progress', stopReason: 'account_rows' });
    expect(continueWalk(kept, { ...START, now: at(25) })).toEqual(walk);
  });

  it('restarts with a new start time if it was paused before any session was complete', () => {
    const kept = pauseWalk(continueWalk(undefined, START), 'pass_seconds');
    const walk = continueWalk(kept, { now: at(25) });
    expect([walk.cursor, walk.startedAt]).toEqual([undefined, at(25)]);
  });

  it('stores only the position of a session, not its other fields', () => {
    const session = { ...place(5), title: 'not kept' };
    expect(movePast(continueWalk(undefined, START), session).cursor).toEqual(place(5));
  });

  it('first reads every session, and after a completion only those changed since three hours before it began', () => {
    expect(continueWalk(undefined, START).touchedSince).toBeUndefined();
    const again = continueWalk(complete, START);
    expect(again.touchedSince?.toISOString()).toBe('2026-10-09T21:00:00.000Z');
    expect(again.cursor).toBeUndefined();
  });

  it('covers everything up to its start time once it is complete', () => {
    const walk = movePast(continueWalk(undefined, START), place(1));
    expect(finishWalk({ ...walk, generation: 18 }, { gap: { generation: 18 } })).toMatchObject({
      state: 'complete',
      stopReason: 'finished',
      coveredUntil: walk.startedAt,
      indexedFrom: null,
    });
  });

  it('is not complete if content was stored without being indexed in the meantime; the next pass starts again', () => {
    const walk = movePast(continueWalk(undefined, START), place(1));
    const kept = finishWalk(walk, { gap: { generation: walk.generation + 1 } });
    expect(kept).toMatchObject({ state: 'in_progress', coveredUntil: walk.startedAt });
    const next = continueWalk(kept, { now: at(22) });
    expect([next.cursor, next.startedAt]).toEqual([undefined, at(22)]);
  });

  it('reports from what time the corpus is complete, if an age limit ended it', () => {
    const walk = continueWalk(undefined, START);
    expect(finishWalk(walk, { gap: undefined, unread: at(3) }).indexedFrom).toEqual(at(3));
  });
});
