import fc from 'fast-check';
import { computeIdf, MAX_EXACT_MATCHES, MAX_RANKED_MATCHES, MAX_WALKED_ROWS, SAMPLE_ROWS } from './ranking.ts';
import {
  chooseSelectiveTerms,
  countPageMatches,
  countRowsInReach,
  estimateIndexCost,
  needsIndexCost,
  planRetrieval,
  widenPlan,
  type RetrievalPlan,
} from './retrieval-plan.ts';

const sample = (matches: number, { rows = SAMPLE_ROWS, yielded = matches } = {}) => ({
  rows,
  matches,
  yielded,
  documentFrequencies: [matches],
});

/** Returns the plan in an account with this number of rows. */
const plan = (of: ReturnType<typeof sample>, rows: number, sessions = 20): RetrievalPlan =>
  planRetrieval(of, estimateIndexCost(of, rows), countPageMatches(sessions));

describe('the retrieval plan', () => {
  it('reads a small account completely', () => {
    expect(plan(sample(12, { rows: 499 }), 0)).toEqual({ arm: 'all' });
  });

  it('uses the text index for a word that the newest rows do not contain', () => {
    expect(plan(sample(0), 10_000_000)).toEqual({ arm: 'index' });
  });

  it('walks the newest rows for a word that occurs in every second row, regardless of the number of rows, without estimating the index', () => {
    expect(needsIndexCost(sample(250))).toBe(false);
    for (const rows of [1000, 10_000_000]) expect(plan(sample(250), rows)).toEqual({ arm: 'walk', rows: 1000 });
  });

  it('compares the costs of index and walk for other words: the larger the account, the sooner it walks', () => {
    expect(needsIndexCost(sample(25))).toBe(true);
    expect(plan(sample(25), 2000)).toEqual({ arm: 'index' });
    expect(plan(sample(25), 1_000_000)).toEqual({ arm: 'walk', rows: 2000 });
  });

  it('extends the walk only if it found too few matches', () => {
    expect(plan(sample(40), 1_000_000)).toEqual({ arm: 'walk', rows: 2000 });
    expect(plan(sample(9), 1_000_000)).toEqual({ arm: 'walk', rows: 2084 });
    expect(plan(sample(5), 1_000_000)).toEqual({ arm: 'walk', rows: 3750 });
    expect(plan(sample(3), 1_000_000)).toEqual({ arm: 'walk', rows: 6250 });
  });

  it('extends the walk to the requested page', () => {
    expect(plan(sample(5), 1_000_000, 50)).toEqual({ arm: 'walk', rows: 9375 });
    expect(plan(sample(250), 1_000_000, 50)).toEqual({ arm: 'walk', rows: 1000 });
  });

  it('uses the number of rows that the index returns for a phrase, not the number of its matches', () => {
    expect(plan(sample(5), 20_000)).toEqual({ arm: 'index' });
    expect(plan(sample(5, { yielded: 100 }), 20_000)).toEqual({ arm: 'walk', rows: 3750 });
  });

  it('looks for a rare phrase of common words in the newest rows of a large account first', () => {
    const phrase = sample(0, { yielded: 100 });
    expect(plan(phrase, 5000)).toEqual({ arm: 'index' });
    expect(plan(phrase, 100_000)).toEqual({ arm: 'walk', rows: 2000 });
  });

  it('looks for words that are rare in the sample in the newest rows first if they still occur in thousands of rows', () => {
    expect(plan(sample(1), 100_000)).toEqual({ arm: 'index' });
    expect(plan(sample(1), 1_000_000)).toEqual({ arm: 'walk', rows: 2000 });
  });
});

describe('a walk that did not find enough matches for the page', () => {
  const widen = (rows: number, matches: number, indexCost: number) =>
    widenPlan({ arm: 'walk', rows }, { matches, indexCost, pageMatches: countPageMatches(20) });

  it('ends if it found as many matches as can be ranked: more rows would not change the result', () => {
    expect(widen(1000, 300, 60_000)).toBeUndefined();
  });

  it('continues as far as the number of matches found so far suggests', () => {
    expect(widen(3000, 18, 60_000)).toEqual({ arm: 'walk', rows: 6250 });
    expect(widen(3000, 35, 60_000)).toEqual({ arm: 'walk', rows: 6000 });
  });

  it('is extended at most tenfold, because a few matches give a weak estimate', () => {
    expect(widen(2000, 5, 600_000)).toEqual({ arm: 'walk', rows: 15_000 });
    expect(widen(2000, 3, 600_000)).toEqual({ arm: 'walk', rows: 20_000 });
    expect(widen(2000, 0, 600_000)).toEqual({ arm: 'walk', rows: 20_000 });
  });

  it('switches to the text index if that is cheaper, or if the walk would become too long', () => {
    expect(widen(3000, 18, 6000)).toEqual({ arm: 'index' });
    expect(widen(2000, 0, 19_000)).toEqual({ arm: 'index' });
    expect(widen(60_000, 25, 600_000)).toEqual({ arm: 'index' });
    expect(widenPlan({ arm: 'index' }, { matches: 12, indexCost: 0, pageMatches: 30 })).toBeUndefined();
  });
});

describe('words joined by OR', () => {
  const question = { rows: 500, matches: 0, yielded: 0, documentFrequencies: [400, 1, 0, 20] };

  it('are looked up by the rarest of them, as long as all matches can be ranked', () => {
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

  it('have no rare word if all of them are common', () => {
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

/** Generates any account and query: statistics of the newest rows, and the total number of rows. */
const anySample = fc
  .record({ matches: fc.nat(SAMPLE_ROWS), more: fc.nat(SAMPLE_ROWS), rows: fc.integer({ min: SAMPLE_ROWS, max: 1e8 }) })
  .map(({ matches, more, rows }) => ({
    of: sample(matches, { yielded: Math.min(SAMPLE_ROWS, matches + more) }),
    rows,
  }));

describe('the work of a search (SRCH-26)', () => {
  it('is bounded for any query and account size', () => {
    fc.assert(
      fc.property(anySample, fc.integer({ min: 1, max: 10_050 }), ({ of, rows }, sessions) => {
        const chosen = plan(of, rows, sessions);
        if (chosen.arm !== 'walk') return;
        expect(chosen.rows).toBeGreaterThan(0);
        expect(chosen.rows).toBeLessThanOrEqual(MAX_WALKED_ROWS);
        expect(countRowsInReach(chosen, estimateIndexCost(of, rows))).toBe(chosen.rows);
      }),
    );
  });

  it('terminates: each extended walk goes further, until the search switches to the text index', () => {
    fc.assert(
      fc.property(anySample, fc.nat(MAX_RANKED_MATCHES - 1), ({ of, rows }, matches) => {
        const indexCost = estimateIndexCost(of, rows);
        let current: RetrievalPlan | undefined = { arm: 'walk', rows: 1000 };
        let rounds = 0;
        for (; current?.arm === 'walk'; rounds += 1) {
          const wider: RetrievalPlan | undefined = widenPlan(current, { matches, indexCost, pageMatches: 30 });
          if (wider?.arm === 'walk') expect(wider.rows).toBeGreaterThanOrEqual(2 * current.rows);
          current = wider;
        }
        expect(current).toEqual({ arm: 'index' });
        expect(rounds).toBeLessThanOrEqual(8);
      }),
    );
  });

  it('covers all rows of a small account, however common the word', () => {
    fc.assert(
      fc.property(fc.nat(SAMPLE_ROWS - 1), fc.nat(SAMPLE_ROWS), (rows, matches) => {
        expect(plan(sample(Math.min(matches, rows), { rows }), rows)).toEqual({ arm: 'all' });
      }),
    );
  });

  it('reads no more matches of words joined by OR than can be ranked', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(SAMPLE_ROWS), { maxLength: 20 }), fc.nat(1e7), (documentFrequencies, rows) => {
        const terms = documentFrequencies.map((_, index) => `word${index}`);
        const of = { rows: SAMPLE_ROWS, matches: 0, yielded: 0, documentFrequencies };
        const matches = chooseSelectiveTerms(terms, of, rows)
          .map((term) => ((documentFrequencies[terms.indexOf(term)] ?? 0) / SAMPLE_ROWS) * rows)
          .reduce((sum, each) => sum + each, 0);
        expect(matches).toBeLessThanOrEqual(MAX_EXACT_MATCHES + 1e-6);
      }),
    );
  });
});
