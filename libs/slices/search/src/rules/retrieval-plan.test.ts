import { SAMPLE_ROWS, computeIdf } from './ranking.ts';
import { chooseSelectiveTerms, countPageMatches, needsRowCount, planRetrieval, widenPlan } from './retrieval-plan.ts';

const sample = (matches: number, { rows = SAMPLE_ROWS, yielded = matches } = {}) => ({
  rows,
  matches,
  yielded,
  documentFrequencies: [matches],
});

describe('the way to the candidates', () => {
  it('reads a small account whole', () => {
    expect(planRetrieval(sample(12, { rows: 499 }), 0)).toEqual({ arm: 'all' });
  });

  it('asks the text index for a word the newest rows do not hold', () => {
    expect(planRetrieval(sample(0), 10_000_000)).toEqual({ arm: 'index' });
  });

  it('walks for a word of every second row, however many rows there are', () => {
    for (const rows of [1000, 10_000_000])
      expect(planRetrieval(sample(250), rows)).toEqual({ arm: 'walk', rows: 1000 });
  });

  it('weighs the two ways in between: the larger the account, the sooner it walks', () => {
    expect(needsRowCount(sample(25))).toBe(true);
    expect(planRetrieval(sample(25), 20_000)).toEqual({ arm: 'index' });
    expect(planRetrieval(sample(25), 1_000_000)).toEqual({ arm: 'walk', rows: 2500 });
  });

  it('goes further than usual only for the matches it cannot do without', () => {
    expect(planRetrieval(sample(18), 1_000_000)).toEqual({ arm: 'walk', rows: 3473 });
    expect(planRetrieval(sample(12), 1_000_000)).toEqual({ arm: 'walk', rows: 4000 });
    expect(planRetrieval(sample(5), 1_000_000)).toEqual({ arm: 'walk', rows: 4000 });
    expect(planRetrieval(sample(3), 1_000_000)).toEqual({ arm: 'walk', rows: 6250 });
  });

  it('goes as far as the page needs that is asked for', () => {
    expect(countPageMatches(20)).toBe(30);
    expect(planRetrieval(sample(5), 1_000_000, countPageMatches(50))).toEqual({ arm: 'walk', rows: 9375 });
    expect(planRetrieval(sample(250), 1_000_000, countPageMatches(50))).toEqual({ arm: 'walk', rows: 1000 });
  });

  it('counts what the text index yields for a phrase, not what matches', () => {
    expect(planRetrieval(sample(5), 200_000)).toEqual({ arm: 'index' });
    expect(planRetrieval(sample(5, { yielded: 100 }), 200_000)).toEqual({ arm: 'walk', rows: 4000 });
  });

  it('looks for a rare phrase of common words through the newest rows first, where the account is large', () => {
    const phrase = sample(0, { yielded: 100 });
    expect(planRetrieval(phrase, 40_000)).toEqual({ arm: 'index' });
    expect(planRetrieval(phrase, 1_000_000)).toEqual({ arm: 'walk', rows: 4000 });
  });
});

describe('a walk that did not fill the page', () => {
  const widen = (rows: number, matches: number, indexCost = 0) =>
    widenPlan({ arm: 'walk', rows }, { matches, indexCost });

  it('goes on in steps', () => {
    expect(widen(2000, 300)).toEqual({ arm: 'walk', rows: 2500 });
    expect(widen(4000, 300)).toEqual({ arm: 'walk', rows: 20_000 });
  });

  it('ends with the text index for what turned out to be rare, and with itself for one session that fills everything', () => {
    expect(widen(4000, 12)).toEqual({ arm: 'index' });
    expect(widen(20_000, 12)).toEqual({ arm: 'index' });
    expect(widen(20_000, 300)).toBeUndefined();
    expect(widenPlan({ arm: 'index' }, { matches: 12, indexCost: 0 })).toBeUndefined();
  });

  it('goes on instead of reading what the text index yields for a phrase, where that is dear and a page is in reach', () => {
    expect(widen(8000, 12, 30_000)).toEqual({ arm: 'walk', rows: 20_000 });
    expect(widen(8000, 11, 30_000)).toEqual({ arm: 'index' });
    expect(widen(8000, 16, 10_000)).toEqual({ arm: 'index' });
    expect(widen(20_000, 16, 30_000)).toEqual({ arm: 'index' });
  });
});

describe('words joined by OR', () => {
  const question = { rows: 500, matches: 0, yielded: 0, documentFrequencies: [400, 1, 0, 20] };

  it('are looked for by the rarest of them, as far as all matches can be ranked', () => {
    expect(chooseSelectiveTerms(['the', 'slipstream', 'zebra', 'wing'], question, 20_000)).toEqual([
      'zebra',
      'slipstream',
      'wing',
    ]);
    expect(chooseSelectiveTerms(['the', 'slipstream', 'zebra', 'wing'], question, 400_000)).toEqual([
      'zebra',
      'slipstream',
    ]);
  });

  it('are none when all of them are common', () => {
    expect(chooseSelectiveTerms(['the'], { ...question, documentFrequencies: [400] }, 20_000)).toEqual([]);
  });
});

describe('the weight of a word', () => {
  it('grows with its rarity and is never negative', () => {
    const [common = 0, rare = 0, absent = 0] = computeIdf({
      rows: 500,
      matches: 0,
      yielded: 0,
      documentFrequencies: [500, 5, 0],
    });
    expect(common).toBeGreaterThan(0);
    expect(rare).toBeGreaterThan(common);
    expect(absent).toBeGreaterThan(rare);
  });

  it('is one for a single word', () => {
    expect(computeIdf({ rows: 500, matches: 3, yielded: 3, documentFrequencies: [3] })).toEqual([1]);
  });
});
