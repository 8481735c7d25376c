import type { UnindexedContent } from '@steward/slice-gateway';
import type { IndexedWindow } from '@steward/slice-search';
import type { WatermarkTable } from '../schema.ts';

/** The window fields of a search answer (interface.md). */
export interface Coverage {
  /** The corpus is complete from here on; moves backwards as the backfill proceeds. Null without chunks. */
  readonly indexedFrom: Date | null;
  /** Newest chunk. Null without chunks. */
  readonly indexedThrough: Date | null;
  readonly backfillState: 'not_started' | 'in_progress' | 'complete';
  readonly backfillComplete: boolean;
  /** Ends of the content of the asked range that only its metadata was kept of; null when all was kept. */
  readonly metadataOnlyFrom: Date | null;
  readonly metadataOnlyThrough: Date | null;
}

export interface CoverageFacts {
  readonly window: IndexedWindow;
  readonly watermark: Pick<WatermarkTable, 'state' | 'walk_started_at' | 'covered_until' | 'indexed_from'> | undefined;
  /** Content stored while indexing was off. */
  readonly unindexed: UnindexedContent | undefined;
}

/**
 * The oldest chunk alone does not tell what is covered: an old session has its title in the corpus and nothing else. What
 * was stored without being indexed, and how far the walk over it has come, decides.
 */
export function describeCoverage({ window, watermark, unindexed }: CoverageFacts): Coverage {
  const walkedUntil = watermark?.state === 'complete' ? watermark.covered_until : watermark?.walk_started_at;
  const gapEnd =
    unindexed !== undefined &&
    (walkedUntil === null || walkedUntil === undefined || unindexed.lastStoredAt >= walkedUntil)
      ? unindexed.latestOccurredAt
      : null;
  const backfillState =
    watermark === undefined ? 'not_started' : gapEnd === null ? watermark.state : ('in_progress' as const);
  const indexedFrom = latest([window.oldest, watermark?.indexed_from ?? null, gapEnd]);
  return {
    indexedFrom: window.oldest === null ? null : indexedFrom,
    indexedThrough: window.newest,
    backfillState,
    backfillComplete: backfillState === 'complete',
    metadataOnlyFrom: window.metadataOnlyFrom,
    metadataOnlyThrough: window.metadataOnlyThrough,
  };
}

function latest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : new Date(Math.max(...known.map((time) => time.getTime())));
}
