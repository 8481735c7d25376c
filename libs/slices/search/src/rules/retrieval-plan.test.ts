import { SAMPLE_ROWS, computeIdf } from './ranking.ts';
import { needsRowCount, planRetrieval } from './retrieval-plan.ts';

const sample = (matches: number, rows = SAMPLE_ROWS) => ({ rows, matches, documentFrequencies: [matches] });

describe('the way to the candidates', () => {
  it('reads a small account whole', () => {
    expect(planRetrieval(sample(12, 499), 0)).toEqual({ arm: 'all' });
  });

  it('asks the text index for a word the newest rows do not hold', () => {
    expect(planRetrieval(sample(0), 10_000_000)).toEqual({ arm: 'index' });
  });

  it('walks for a word of every second row, however many rows there are', () => {
    for (const rows of [1000, 10_000_000])
      expect(planRetrieval(sample(250), rows)).toEqual({ arm: 'walk', rows: 1500 });
  });

  it('weighs the two ways in between: the larger the account, the sooner it walks', () => {
    expect(needsRowCount(sample(25))).toBe(true);
    expect(planRetrieval(sample(25), 100_000)).toEqual({ arm: 'index' });
    expect(planRetrieval(sample(25), 1_000_000)).toEqual({ arm: 'walk', rows: 15_000 });
  });

  it('never walks without a bound', () => {
    expect(planRetrieval(sample(4), 100_000_000)).toEqual({ arm: 'index' });
  });
});

describe('the weight of a word', () => {
  it('grows with its rarity and is never negative', () => {
    const [common = 0, rare = 0, absent = 0] = computeIdf({ rows: 500, matches: 0, documentFrequencies: [500, 5, 0] });
    expect(common).toBeGreaterThan(0);
    expect(rare).toBeGreaterThan(common);
    expect(absent).toBeGreaterThan(rare);
  });

  it('is one for a single word', () => {
    expect(computeIdf({ rows: 500, matches: 3, documentFrequencies: [3] })).toEqual([1]);
  });
});
