import fc from 'fast-check';
import { takeWithin } from './take-within.ts';

const sources = (...counts: number[]) => counts.map((length) => ({ chunks: { length } }));
const budget = (rows: number, isUntouched = false) => ({ left: () => rows, isUntouched: () => isUntouched });

describe('the sources that a pass can still write (CORP-14)', () => {
  it.each([
    [[1, 1, 1], 2, 2],
    [[1, 1, 1], 3, 3],
    [[1, 1, 1], 100, 3],
    [[3, 1], 3, 1],
    [[3, 1], 4, 2],
    [[1, 0, 0, 1], 1, 3],
    [[3, 1], 2, 0],
    [[], 5, 0],
  ])('from sources with %j chunks and %i rows left are the first %i', (counts, rows, taken) => {
    expect(takeWithin(sources(...counts), budget(rows))).toHaveLength(taken);
  });

  it('include at least one if nothing has been written yet, however long it is; otherwise no pass would ever write it', () => {
    expect(takeWithin(sources(64, 1), budget(3, true))).toHaveLength(1);
    expect(takeWithin(sources(0, 64, 1), budget(3, true))).toHaveLength(2);
    expect(takeWithin(sources(2, 64), budget(3, true))).toHaveLength(1);
  });

  it('are taken in order, never more than allowed, until all have been written', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(64)), fc.integer({ min: 1, max: 100 }), (counts, rows) => {
        let rest: readonly { chunks: { length: number } }[] = sources(...counts);
        const seen: number[] = [];
        while (rest.length > 0) {
          const taken = takeWithin(rest, budget(rows, true)).map(({ chunks }) => chunks.length);
          const written = taken.reduce((sum, each) => sum + each, 0);
          expect(written <= rows || taken.filter((each) => each > 0).length === 1).toBe(true);
          seen.push(...taken);
          rest = rest.slice(taken.length);
        }
        expect(seen).toEqual(counts);
      }),
    );
  });
});
