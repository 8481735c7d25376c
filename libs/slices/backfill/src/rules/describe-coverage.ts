import type { UnindexedContent } from '@steward/slice-sessions';
import type { CorpusCoverage, IndexedWindow } from '@steward/slice-search';
import type { Watermark } from '../watermark.ts';
import { hasGap } from './walk.ts';

export interface CoverageFacts {
  readonly window: IndexedWindow;
  readonly watermark: Pick<Watermark, 'state' | 'walkGeneration' | 'indexedFrom'> | undefined;
  /** Content stored while indexing was off. */
  readonly unindexed: UnindexedContent | undefined;
}

/**
 * The oldest chunk alone does not tell what is covered: an old session has its title in the corpus and nothing else. What
 * was stored without being indexed, and how far the walk over it has come, decides.
 */
export function describeCoverage({ window, watermark, unindexed }: CoverageFacts): CorpusCoverage {
  const gapEnd = unindexed !== undefined && hasGap(watermark, unindexed) ? unindexed.latestOccurredAt : null;
  // Where nothing was stored unindexed there is nothing to walk through, and a walk that looks nevertheless hides nothing.
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
