import fc from 'fast-check';
import { countCandidates, countExactVectors, countFiltered, countWider, planScan } from './retrieval.ts';

describe('countExactVectors', () => {
  it('decreases with the number of dimensions, and is never zero', () => {
    const counts = [1, 256, 384, 1536, 4000].map(countExactVectors);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts[0]).toBe(counts[1]);
    expect(counts[4]).toBe(1000);
  });
});

describe('countCandidates', () => {
  it('is the requested number, but at least 200 and at most 400', () => {
    expect([1, 100, 250, 5000].map(countCandidates)).toEqual([200, 200, 250, 400]);
  });
});

describe('countWider', () => {
  it('increases if fewer sessions were found, and always exceeds the number looked at', () => {
    const count = (found: number) => countWider({ looked: 200, found, sessions: 100 });
    expect(count(10)).toBe(4000);
    expect([0, 1, 50, 100].map(count)).toEqual([40_000, 40_000, 800, 400]);
  });
});

describe('planScan', () => {
  it('compares more vectors exactly for more results and larger spaces', () => {
    const rows = (limit: number, size: number) => planScan({ width: 384, rows: size, limit }).exactRows;
    expect(rows(10, 50_000)).toBe(countExactVectors(384));
    expect(rows(200, 1_000_000)).toBe(40_000);
    expect(rows(10, 1_000_000)).toBe(rows(200, 1_000_000));
    expect(rows(800, 1_000_000)).toBe(80_000);
  });

  it('lets the index scan read twice as many rows as a filter needs that is too broad for an exact comparison', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 10_000_000 }), (limit, rows) => {
        const { exactRows, mostTuples } = planScan({ width: 384, rows, limit });
        return mostTuples >= Math.floor((2 * countFiltered(limit) * rows) / exactRows);
      }),
    );
  });
});
