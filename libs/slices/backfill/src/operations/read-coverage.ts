import type { AnyDatabase } from '@steward/database';
import { findUnindexedContent } from '@steward/slice-gateway';
import { findIndexedWindow } from '@steward/slice-search';
import { describeCoverage, type Coverage } from '../rules/describe-coverage.ts';
import { findWatermark } from '../store/watermark.store.ts';

/** What an account's corpus covers, from four index look-ups. */
export async function readCoverage(db: AnyDatabase, accountId: string): Promise<Coverage> {
  const [window, watermark, unindexed] = await Promise.all([
    findIndexedWindow(db, accountId),
    findWatermark(db, accountId),
    findUnindexedContent(db, accountId),
  ]);
  return describeCoverage({ window, watermark, unindexed });
}
