import type { JudgedQuery } from './collection.ts';
import { computeNdcg, computeRecall, computeReciprocalRank } from './judge.ts';

/** Means over all queries. */
export interface Scores {
  readonly queries: number;
  readonly ndcg10: number;
  readonly mrr: number;
  readonly recall1: number;
  readonly recall5: number;
  readonly recall50: number;
  /** Share of all queries whose first ten results contain an excluded word. */
  readonly leaks: number;
  /** Share of the queries without a relevant document that returned a result. */
  readonly answered: number;
}

/**
 * Scores one ranking of document ids for each query, in order. Queries without a relevant document are only included in
 * `answered`.
 */
export function scoreRankings(queries: readonly JudgedQuery[], rankings: readonly (readonly string[])[]): Scores {
  const all = queries.map((query, place) => ({ query, ranking: rankings[place] ?? [] }));
  const judged = all.filter(({ query }) => query.gains.size > 0);
  const open = all.filter(({ query }) => query.gains.size === 0);
  const mean = (score: (ranking: readonly string[], gains: ReadonlyMap<string, number>) => number): number =>
    judged.reduce((sum, { query, ranking }) => sum + score(ranking, query.gains), 0) / judged.length;
  const leaking = all.filter(({ query, ranking }) => ranking.slice(0, 10).some((id) => query.excluded.has(id)));
  return {
    queries: queries.length,
    ndcg10: mean((ranking, gains) => computeNdcg(ranking, gains, 10)),
    mrr: mean(computeReciprocalRank),
    recall1: mean((ranking, gains) => computeRecall(ranking, gains, 1)),
    recall5: mean((ranking, gains) => computeRecall(ranking, gains, 5)),
    recall50: mean((ranking, gains) => computeRecall(ranking, gains, 50)),
    leaks: leaking.length / all.length,
    answered: open.filter(({ ranking }) => ranking.length > 0).length / open.length,
  };
}
