import type { AnyDatabase, CancellableOptions, CancellablePools } from '@steward/database';
import type { CorpusCoverage, TimeRange } from '@steward/search';
import { describeCoverage } from '../rules/describe-coverage.ts';
import { findCoverageFacts, findCoverageFactsCancellably, type CoverageKey } from '../store/coverage.store.ts';

/**
 * Returns the coverage of an account's corpus. `range` limits only the search for metadata-only content and truncated
 * sources.
 */
export async function readCoverage(db: AnyDatabase, accountId: string, range: TimeRange = {}): Promise<CorpusCoverage> {
  return describeCoverage(await findCoverageFacts(db, { accountId, range }));
}

/**
 * Returns the coverage like `readCoverage`, but is cancellable: the statement is cancelled when the signal is aborted
 * or the budget is used up. `db` is only used to build the statement.
 * @throws like `runCancellable`
 */
export async function readCoverageCancellably(
  deps: { readonly db: AnyDatabase; readonly pools: CancellablePools },
  key: CoverageKey,
  options: CancellableOptions,
): Promise<CorpusCoverage> {
  return describeCoverage(await findCoverageFactsCancellably(deps, key, options));
}
