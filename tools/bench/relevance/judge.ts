/** Computes the normalized discounted cumulative gain of the first `depth` results. */
export function computeNdcg(ranking: readonly string[], gains: ReadonlyMap<string, number>, depth: number): number {
  const discount = (place: number): number => 1 / Math.log2(place + 2);
  const reached = ranking.slice(0, depth).reduce((sum, id, place) => sum + (gains.get(id) ?? 0) * discount(place), 0);
  const ideal = [...gains.values()].sort((a, b) => b - a).slice(0, depth);
  const best = ideal.reduce((sum, gain, place) => sum + gain * discount(place), 0);
  return best === 0 ? 0 : reached / best;
}

/** Computes 1 divided by the rank of the first relevant result; 0 if there is none. */
export function computeReciprocalRank(ranking: readonly string[], gains: ReadonlyMap<string, number>): number {
  const place = ranking.findIndex((id) => (gains.get(id) ?? 0) > 0);
  return place < 0 ? 0 : 1 / (place + 1);
}

/** Computes the share of the relevant documents that are among the first `depth` results. */
export function computeRecall(ranking: readonly string[], gains: ReadonlyMap<string, number>, depth: number): number {
  const relevant = [...gains.values()].filter((gain) => gain > 0).length;
  const found = ranking.slice(0, depth).filter((id) => (gains.get(id) ?? 0) > 0).length;
  return relevant === 0 ? 0 : found / relevant;
}
