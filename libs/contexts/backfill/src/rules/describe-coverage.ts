import type { UnindexedContent } from '@steward/sessions';
import type { CorpusCoverage, IndexedWindow } from '@steward/search';
import type { Watermark } from '../watermark.ts';
import { hasGap } from './walk.ts';

export interface CoverageFacts {
  readonly window: IndexedWindow;
  readonly watermark: Pick<Watermark, 'state' | 'walkGeneration' | 'indexedFrom'> | undefined;
  /** Content stored while indexing was off. */
  readonly unindexed: UnindexedContent | undefined;
}

/**
 * Returns the coverage of a corpus. It depends on the content that was stored unindexed, and on how far the walk has
 * processed that content. The oldest chunk alone does not determine it: an old session may have only its title in the
 * corpus.
 */
export function describeCoverage({ window, watermark, unindexed }: CoverageFacts): CorpusCoverage {
  const gapEnd = unindexed !== undefined && hasGap(watermark, unindexed) ? unindexed.latestOccurredAt : null;
  // Without unindexed content there is nothing to index; a walk that is running nevertheless does not reduce the
  // coverage.
  const walk = unindexed === undefined ? undefined : watermark;
  const withGap = walk === undefined ? 'not_started' : 'in_progress';
  const backfillState = gapEnd === null ? (walk?.state ?? 'complete') : withGap;
  const indexedFrom = latest([window.oldest, walk?.indexedFrom ?? null, gapEnd]);
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
