import type { NearestChunk } from '../nearest-chunk.ts';

/**
 * Returns the sessions worth comparing with all probes, the most promising first: sorted by the mean, over all probes,
 * of the similarity of the session's nearest chunk. For a session that a probe did not find, the similarity of the
 * probe's last result is assumed.
 */
export function chooseCandidates(found: readonly (readonly NearestChunk[])[], limit: number): string[] {
  const floors = found.map((chunks) => chunks.at(-1)?.similarity ?? 0);
  const start = floors.reduce((sum, floor) => sum + floor, 0);
  const sums = new Map<string, number>();
  for (const [probe, chunks] of found.entries()) {
    const seen = new Set<string>();
    for (const { sessionId, similarity } of chunks) {
      if (seen.has(sessionId)) continue;
      seen.add(sessionId);
      sums.set(sessionId, (sums.get(sessionId) ?? start) + similarity - (floors[probe] ?? 0));
    }
  }
  return [...sums]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([sessionId]) => sessionId);
}
