import { sql, type RawBuilder } from 'kysely';
import {
  executePrepared,
  prepared,
  runCancellable,
  type AnyDatabase,
  type CancellableOptions,
  type CancellablePools,
} from '@steward/database';
import { selectUnindexedContent } from '@steward/sessions';
import { selectIndexedWindow, type IndexedWindow, type TimeRange } from '@steward/search';
import type { CoverageFacts } from '../rules/describe-coverage.ts';
import type { WatermarkTable } from '../schema.ts';
import { selectWatermark, toWatermark } from './watermark.store.ts';

export interface CoverageKey {
  readonly accountId: string;
  /**
   * Time range in which metadata-only content and truncated sources are looked for; the other facts do not depend on
   * it.
   */
  readonly range: TimeRange;
}

const NAME = 'backfill.coverage';

/** The only row of the result; the columns of a part that found no row are null. */
type CoverageRow = IndexedWindow &
  Nullable<WatermarkTable> &
  Nullable<{ generation: number; latest_occurred_at: Date }>;
type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/**
 * Returns the facts that determine the coverage. Uses only index look-ups. Each of the three parts comes from its own
 * context; they are read in one statement, because every search needs all of them.
 */
export async function findCoverageFacts(db: AnyDatabase, key: CoverageKey): Promise<CoverageFacts> {
  const result = await executePrepared(db, NAME, selectCoverage(key));
  return toFacts(result.rows[0] as CoverageRow);
}

/**
 * Returns the facts like `findCoverageFacts`, but is cancellable; `db` is only used to build the statement.
 * @throws like `runCancellable`
 */
export function findCoverageFactsCancellably(
  deps: { readonly db: AnyDatabase; readonly pools: CancellablePools },
  key: CoverageKey,
  options: CancellableOptions,
): Promise<CoverageFacts> {
  const { sql: text, parameters } = selectCoverage(key).compile(deps.db);
  return runCancellable(deps.pools, options, async (client) => {
    const { rows } = await client.query<CoverageRow>(prepared(NAME, text, parameters));
    return toFacts(rows[0] as CoverageRow);
  });
}

function selectCoverage({ accountId, range }: CoverageKey): RawBuilder<CoverageRow> {
  return sql<CoverageRow>`
    select * from (${selectIndexedWindow(accountId, range)}) indexed_window
    left join (${selectWatermark(accountId)}) watermark on true
    left join (${selectUnindexedContent(accountId)}) unindexed on true
  `;
}

function toFacts(row: CoverageRow): CoverageFacts {
  const { generation, latest_occurred_at: latestOccurredAt } = row;
  return {
    window: row,
    watermark: row.state === null ? undefined : toWatermark(row as WatermarkTable),
    unindexed: generation === null || latestOccurredAt === null ? undefined : { generation, latestOccurredAt },
  };
}
