import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { selectUnindexedContent } from '@steward/slice-gateway';
import { selectIndexedWindow, type IndexedWindow, type TimeRange } from '@steward/slice-search';
import { describeCoverage, type Coverage } from '../rules/describe-coverage.ts';
import type { WatermarkTable } from '../schema.ts';
import { selectWatermark } from '../store/watermark.store.ts';

/** One row in any case; the columns of a part without a row are null. */
type CoverageRow = IndexedWindow &
  Nullable<WatermarkTable> &
  Nullable<{ last_stored_at: Date; latest_occurred_at: Date }>;
type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/**
 * What an account's corpus covers, by index look-ups alone. The range narrows what is said of metadata-only content. Each
 * slice selects its own part; every search asks, so the three go to the database together.
 */
export async function readCoverage(db: AnyDatabase, accountId: string, range: TimeRange = {}): Promise<Coverage> {
  const result = await sql<CoverageRow>`/* prepared */
    select * from (${selectIndexedWindow(accountId, range)}) indexed_window
    left join (${selectWatermark(accountId)}) watermark on true
    left join (${selectUnindexedContent(accountId)}) unindexed on true
  `.execute(db);
  const row = result.rows[0] as CoverageRow;
  const {
    state,
    walk_started_at: walkStartedAt,
    last_stored_at: lastStoredAt,
    latest_occurred_at: latestOccurredAt,
  } = row;
  return describeCoverage({
    window: row,
    watermark: state === null || walkStartedAt === null ? undefined : { ...row, state, walk_started_at: walkStartedAt },
    unindexed: lastStoredAt === null || latestOccurredAt === null ? undefined : { lastStoredAt, latestOccurredAt },
  });
}
