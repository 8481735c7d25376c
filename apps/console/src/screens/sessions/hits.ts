import type { SearchAnswer } from '../../api/answers.ts';

/** A place that a search has found. */
export interface Hit {
  readonly sessionId: string;
  readonly at: string;
}

/** The places of an answer in its order, each once: an entry may be found by several of its pieces. */
export function listHits({ results }: Pick<SearchAnswer, 'results'>): Hit[] {
  return results.flatMap(({ runtime_session_id: sessionId, snippets }) =>
    [...new Set(snippets.map(({ source_id: at }) => at))].map((at) => ({ sessionId, at })),
  );
}

/** The place before or after this one; undefined at the ends, and where the answer does not have it. */
export function findNeighbour(hits: readonly Hit[], from: Partial<Hit>, step: 1 | -1): Hit | undefined {
  const current = hits.findIndex(({ sessionId, at }) => sessionId === from.sessionId && at === from.at);
  return current === -1 ? undefined : hits[current + step];
}
