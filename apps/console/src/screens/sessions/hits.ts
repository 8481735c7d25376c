import type { SearchAnswer } from '../../api/answers.ts';

/** A hit of a search. */
export interface Hit {
  readonly sessionId: string;
  readonly at: string;
}

/** Returns the hits of a result in order, without duplicates: several chunks of an entry may match. */
export function listHits({ results }: Pick<SearchAnswer, 'results'>): Hit[] {
  return results.flatMap(({ runtime_session_id: sessionId, snippets }) =>
    [...new Set(snippets.map(({ source_id: at }) => at))].map((at) => ({ sessionId, at })),
  );
}

/**
 * Returns the hit before or after the given one; undefined if there is no such hit, or if the result does not contain
 * the given one.
 */
export function findNeighbour(hits: readonly Hit[], from: Partial<Hit>, step: 1 | -1): Hit | undefined {
  const current = hits.findIndex(({ sessionId, at }) => sessionId === from.sessionId && at === from.at);
  return current === -1 ? undefined : hits[current + step];
}
