import type { KeywordSearchPage, Snippet } from '../../keyword/keyword-search.ts';
import { RANKING } from '../../keyword/rules/ranking.ts';
import { explainScore } from './explain-score.ts';

const page: KeywordSearchPage = {
  sessions: [],
  snippets: [],
  total: 1,
  totalIsExact: true,
  asOf: new Date(0),
  plan: { arm: 'walk', rows: 1000 },
  terms: [
    { term: `'common'`, idf: 0.5 },
    { term: `'it''s'`, idf: 2 },
  ],
  shown: [],
};
const chunk = (documentId: string, termRanks: readonly number[], sourceKind: Snippet['sourceKind'] = 'tool_call') =>
  ({
    sessionId: 's',
    documentId,
    sourceKind,
    sourceId: 'x',
    chunkIndex: 0,
    gapAfter: null,
    occurredAt: new Date(0),
    role: null,
    rank: 0,
    html: null,
    termRanks,
  }) satisfies Snippet;
const scoreOf = (chunks: readonly Snippet[]): number =>
  explainScore(page, chunks)
    .chunks.map(({ weight, titleBonus, terms }) =>
      terms.reduce((sum, { contribution }) => sum + weight * contribution, weight * titleBonus),
    )
    .reduce((sum, each) => sum + each, 0);

describe('the parts of a score (SRCH-18)', () => {
  it('show how candidates were found and the weight of each word as written in the query', () => {
    expect(explainScore(page, [])).toEqual({
      retrieval: 'walk',
      terms: [
        { term: 'common', idf: 0.5 },
        { term: "it's", idf: 2 },
      ],
      chunks: [],
    });
  });

  it('show the contribution of each word for each chunk', () => {
    const [first] = explainScore(page, [chunk('a', [0.4, 0.1])]).chunks;
    expect(first).toEqual({
      documentId: 'a',
      weight: 1,
      titleBonus: 0,
      terms: [
        { term: 'common', rank: 0.4, contribution: 0.2 },
        { term: "it's", rank: 0.1, contribution: 0.2 },
      ],
    });
  });

  it('cover the three best chunks: the second and third add little, and a fourth adds nothing (SRCH-13)', () => {
    const chunks = ['a', 'b', 'c', 'd'].map((id) => chunk(id, [1, 0]));
    expect(explainScore(page, chunks).chunks.map(({ weight }) => weight)).toEqual([
      1,
      RANKING.secondChunkWeight,
      RANKING.thirdChunkWeight,
    ]);
    expect(RANKING.secondChunkWeight + RANKING.thirdChunkWeight).toBeLessThan(0.5);
    expect(scoreOf(chunks)).toBe(scoreOf(chunks.slice(0, 3)));
    expect(scoreOf(chunks)).toBeGreaterThan(scoreOf(chunks.slice(0, 1)));
  });

  it('include the bonus for a match in a title or summary (SRCH-13)', () => {
    const [plain, title] = [chunk('a', [1, 1]), chunk('a', [1, 1], 'session_summary')];
    expect(scoreOf([title]) - scoreOf([plain])).toBeCloseTo(RANKING.titleBonus);
    expect(RANKING.titleBonus).toBeLessThan(scoreOf([plain]));
  });

  it('are zero if a chunk does not contain a word', () => {
    expect(scoreOf([chunk('a', [])])).toBe(0);
  });
});
