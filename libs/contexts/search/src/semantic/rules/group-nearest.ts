import type { NearestChunk } from '../../vectors/nearest-chunk.ts';
import type { SemanticMatch } from '../semantic-match.ts';

/**
 * Groups the nearest chunks by session, ordered by the best chunk, then last match, then id. The similarity of a
 * session is that of its best chunk.
 */
export function groupNearest(nearest: readonly NearestChunk[]): SemanticMatch[] {
  const bySession = Map.groupBy(nearest, ({ sessionId }) => sessionId);
  const matches = [...bySession].map(([sessionId, found]) => {
    const chunks = found
      .map((chunk) => ({ ...chunk, similarity: round(chunk.similarity) }))
      .sort((a, b) => b.similarity - a.similarity);
    const times = chunks.map(({ occurredAt }) => occurredAt.getTime());
    return {
      sessionId,
      similarity: chunks[0]?.similarity ?? 0,
      chunks,
      firstMatchAt: new Date(Math.min(...times)),
      lastMatchAt: new Date(Math.max(...times)),
    };
  });
  return matches.sort(
    (a, b) =>
      b.similarity - a.similarity ||
      b.lastMatchAt.getTime() - a.lastMatchAt.getTime() ||
      (a.sessionId < b.sessionId ? 1 : -1),
  );
}

/** Rounds a similarity, since the last digits of a floating-point sum depend on the order of its parts. */
function round(similarity: number): number {
  return Math.round(similarity * 1e6) / 1e6;
}
