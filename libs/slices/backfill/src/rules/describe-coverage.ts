import type { UnindexedContent } from '@steward/slice-sessions';
import type { CorpusCoverage, IndexedWindow } from '@steward/slice-search';
import type { Watermark } from '../watermark.ts';

export interface CoverageFacts {
  readonly window: IndexedWindow;
  readonly watermark: Pick<Watermark, 'state' | 'walkStartedAt' | 'coveredUntil' | 'indexedFrom'> | undefined;
  /** Content stored while indexing was off. */
  readonly unindexed: UnindexedContent | undefined;
}

/**
 * The oldest chunk alone does not tell what is covered: an old session has its title in the corpus and nothing else. What
 * was stored without being indexed, and how far the walk over it has come, decides.
 */
export function describeCoverage({ window, watermark, unindexed }: CoverageFacts): CorpusCoverage {
  const walkedUntil = watermark?.state === 'complete' ? watermark.coveredUntil : watermark?.walkStartedAt;
  const gapEnd =
    unindexed !== undefined &&
    (walkedUntil === null || walkedUntil === undefined || unindexed.lastStoredAt >= walkedUntil)
      ? unindexed.latestOccurredAt
      : null;
  // Without a gap there is nothing to walk through: an account that was always indexed is complete from its first moment.
  const withoutGap = watermark?.state ?? 'complete';
  const withGap = watermark === undefined ? 'not_started' : 'in_progress';
  const backfillState = gapEnd === null ? withoutGap : withGap;
  const indexedFrom = latest([window.oldest, watermark?.indexedFrom ?? null, gapEnd]);
  return {
    indexedFrom: window.oldest === null ? null : indexedFrom,
    indexedThrough: window.newest,
    backfillState,
    backfillComplete: backfillState === 'complete',
    metadataOnlyFrom: window.metadataOnlyFrom,
    metadataOnlyThrough: window.metadataOnlyThrough,
    truncatedSources: window.truncatedSources,
  };
}

function latest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : new Date(Math.max(...known.map((time) => time.getTime())));
}
