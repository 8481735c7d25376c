import type { AnyDatabase } from '@steward/database';
import { findIndexedWindow } from '@steward/slice-search';
import { findWatermark } from '../store/watermark.store.ts';

/** The window fields of a search answer (interface.md). */
export interface Coverage {
  /** Earliest point from which on the corpus is complete; moves backwards as the backfill proceeds. Null without chunks. */
  readonly indexedFrom: Date | null;
  /** Newest chunk. Null without chunks. */
  readonly indexedThrough: Date | null;
  readonly backfillState: 'not_started' | 'in_progress' | 'complete';
  readonly backfillComplete: boolean;
}

/** What an account's corpus covers, from three index look-ups. */
export async function readCoverage(db: AnyDatabase, accountId: string): Promise<Coverage> {
  const [window, watermark] = await Promise.all([findIndexedWindow(db, accountId), findWatermark(db, accountId)]);
  const state = watermark?.state ?? 'not_started';
  const cursor = watermark?.state === 'in_progress' ? watermark.cursor_started_at : null;
  const indexedFrom = cursor !== null && window.oldest !== null && cursor < window.oldest ? cursor : window.oldest;
  return {
    indexedFrom,
    indexedThrough: window.newest,
    backfillState: state,
    backfillComplete: state === 'complete',
  };
}
