import { computeNdcg, computeRecall, computeReciprocalRank } from './judge.ts';

const gains = new Map([
  ['a', 3],
  ['b', 1],
  ['c', 0],
]);

describe('relevance metrics', () => {
  it('nDCG is one for the ideal order, lower for another, and zero without relevant results', () => {
    expect(computeNdcg(['a', 'b', 'c'], gains, 10)).toBe(1);
    expect(computeNdcg(['b', 'a', 'c'], gains, 10)).toBeCloseTo((1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)));
    expect(computeNdcg(['c'], gains, 10)).toBe(0);
  });

  it('reciprocal rank uses the first relevant result', () => {
    expect(computeReciprocalRank(['c', 'x', 'b'], gains)).toBeCloseTo(1 / 3);
    expect(computeReciprocalRank(['c'], gains)).toBe(0);
  });

  it('recall is the share of relevant results found', () => {
    expect(computeRecall(['b', 'x', 'a'], gains, 2)).toBe(0.5);
    expect(computeRecall(['b', 'x', 'a'], gains, 3)).toBe(1);
  });
});
