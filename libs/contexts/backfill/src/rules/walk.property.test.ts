import fc from 'fast-check';
import type { NewWatermark, Place } from '../watermark.ts';
import { describeCoverage } from './describe-coverage.ts';
import { continueWalk, finishWalk, movePast, needsWalk, pauseWalk, type Gap } from './walk.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 9, 1);
const place = (hour: number): Place => ({ startedAt: new Date(START + hour * HOUR), id: `session-${hour}` });

/** Events during the walk, one hour each. */
type Step =
  | { readonly kind: 'store' }
  /** A pass that indexes up to a number of sessions. */
  | { readonly kind: 'pass'; readonly sessions: number };

const steps = fc.array(
  fc.oneof(
    fc.constant<Step>({ kind: 'store' }),
    fc.integer({ min: 0, max: 6 }).map((sessions): Step => ({ kind: 'pass', sessions })),
  ),
  { maxLength: 40 },
);

/** Returns a new watermark as it is read from the database. */
const keep = (mark: NewWatermark | undefined) =>
  mark === undefined ? undefined : { ...mark, lastPassAt: new Date(START), completedAt: null };

function replay(history: readonly Step[]) {
  const stored: number[] = [];
  const indexed = new Set<number>();
  let known: NewWatermark | undefined;
  let gap: Gap;
  for (const [hour, step] of history.entries()) {
    const now = new Date(START + hour * HOUR);
    if (step.kind === 'store') {
      stored.unshift(hour);
      gap = { generation: (gap?.generation ?? 0) + 1 };
      continue;
    }
    const former = known;
    if (!needsWalk(keep(former), { gap, now })) continue;
    let walk = continueWalk(former, { now, gap });
    const isTouched = (each: number) => walk.touchedSince === undefined || place(each).startedAt >= walk.touchedSince;
    const rest = stored.filter(
      (each) => isTouched(each) && (walk.cursor === undefined || place(each).startedAt < walk.cursor.startedAt),
    );
    for (const each of rest.slice(0, step.sessions)) {
      indexed.add(each);
      walk = movePast({ ...walk, written: walk.written + 1 }, place(each));
    }
    known = rest.length > step.sessions ? pauseWalk(walk, 'account_rows') : finishWalk(walk, { gap });
    expect(known.written).toBeGreaterThanOrEqual(former?.written ?? 0);
    const before = former?.coveredUntil ?? null;
    if (before !== null) expect(known.coveredUntil?.getTime()).toBeGreaterThanOrEqual(before.getTime());
  }
  return { stored, indexed, known, gap };
}

describe('a backfill, for any interleaving of steps', () => {
  it('reports completion only if every stored session is indexed (CORP-11)', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const { stored, indexed, known, gap } = replay(history);
        const window = {
          oldest: place(0).startedAt,
          newest: place(0).startedAt,
          metadataOnlyFrom: null,
          metadataOnlyThrough: null,
          truncatedSources: 0,
        };
        const unindexed = gap && { ...gap, latestOccurredAt: place(stored[0] ?? 0).startedAt };
        const { backfillComplete } = describeCoverage({ window, watermark: known, unindexed });
        if (backfillComplete) expect(stored.filter((each) => !indexed.has(each))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('completes once nothing more is stored (CORP-15, CORP-17)', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const passes = Array.from({ length: history.length + 3 }, (): Step => ({ kind: 'pass', sessions: 2 }));
        const { stored, indexed, known, gap } = replay([...history, ...passes]);
        expect(stored.filter((each) => !indexed.has(each))).toEqual([]);
        expect(known?.state).toBe('complete');
        expect(needsWalk(keep(known), { gap, now: new Date(START) })).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('has the state complete only if it reached the end', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const { known } = replay(history);
        if (known?.state === 'complete') expect(known.stopReason).toBe('finished');
      }),
    );
  });
});

describe('the description of coverage, for any state', () => {
  const day = fc.integer({ min: 0, max: 60 }).map((each) => new Date(START + each * 24 * HOUR));
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const facts = fc.record({
    window: fc.tuple(day, day, fc.boolean()).map(([one, other, isEmpty]) =>
      isEmpty
        ? { oldest: null, newest: null, metadataOnlyFrom: null, metadataOnlyThrough: null, truncatedSources: 0 }
        : {
            oldest: one < other ? one : other,
            newest: one < other ? other : one,
            metadataOnlyFrom: null,
            metadataOnlyThrough: null,
            truncatedSources: 0,
          },
    ),
    watermark: maybe(
      fc.record({
        state: fc.constantFrom('in_progress' as const, 'complete' as const),
        walkGeneration: fc.nat(3),
        indexedFrom: fc.option(day),
      }),
    ),
    unindexed: maybe(fc.record({ generation: fc.nat(3), latestOccurredAt: day })),
  });

  it('has a consistent state and flag, and contains times only if there are chunks (CORP-10, CORP-11)', () => {
    fc.assert(
      fc.property(facts, (known) => {
        const coverage = describeCoverage(known);
        expect(coverage.backfillComplete).toBe(coverage.backfillState === 'complete');
        expect(coverage.indexedThrough).toEqual(known.window.newest);
        expect(coverage.indexedFrom === null).toBe(known.window.oldest === null);
        if (coverage.backfillState === 'not_started') expect(known.watermark).toBeUndefined();
      }),
    );
  });

  it('never reports coverage beyond the existing chunks, and never hides a gap', () => {
    fc.assert(
      fc.property(facts, (known) => {
        const { indexedFrom, backfillComplete } = describeCoverage(known);
        const { oldest } = known.window;
        if (oldest === null || indexedFrom === null) return;
        expect(indexedFrom.getTime()).toBeGreaterThanOrEqual(oldest.getTime());
        if (!backfillComplete && known.unindexed !== undefined && known.watermark === undefined)
          expect(indexedFrom.getTime()).toBeGreaterThanOrEqual(known.unindexed.latestOccurredAt.getTime());
      }),
    );
  });
});
