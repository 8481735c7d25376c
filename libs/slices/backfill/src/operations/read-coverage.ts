import type { AnyDatabase } from '@steward/database';
import { findUnindexedContent } from '@steward/slice-gateway';
import { findIndexedWindow, type TimeRange } from '@steward/slice-search';
import { describeCoverage, type Coverage } from '../rules/describe-coverage.ts';
import { findWatermark } from '../store/watermark.store.ts';

/** What an account's corpus covers, by index look-ups alone. The range narrows what is said of metadata-only content. */
export async function readCoverage(db: AnyDatabase, accountId: string, range: TimeRange = {}): Promise<Coverage> {
  const [window, watermark, unindexed] = await Promise.all([
    findIndexedWindow(db, accountId, range),
    findWatermark(db, accountId),
    findUnindexedContent(db, accountId),
  ]);
  return describeCoverage({ window, watermark, unindexed });
}
