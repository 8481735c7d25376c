import type { JudgedQuery } from './collection.ts';
import { scoreRankings } from './score-rankings.ts';

const query = (relevant: readonly string[], excluded: readonly string[] = []): JudgedQuery => ({
  text: 'q',
  queryClass: 'c',
  gains: new Map(relevant.map((id) => [id, 3])),
  excluded: new Set(excluded),
});

it('averages over queries with relevant results, and counts the others and forbidden results separately', () => {
  const queries = [query(['a']), query(['b', 'c'], ['x']), query([])];
  const scores = scoreRankings(queries, [['a'], ['x', 'b'], ['a']]);
  expect(scores).toMatchObject({ queries: 3, mrr: 0.75, recall1: 0.5, recall5: 0.75, answered: 1 });
  expect(scores.leaks).toBeCloseTo(1 / 3);
  expect(scoreRankings(queries.slice(0, 1), [['a']]).answered).toBeNaN();
});
