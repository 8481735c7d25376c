import type { AnyDatabase, CancellableOptions, CancellablePools } from '@steward/database';
import type { CorpusCoverage, TimeRange } from '@steward/slice-search';
import { describeCoverage } from '../rules/describe-coverage.ts';
import { findCoverageFacts, findCoverageFactsCancellably, type CoverageKey } from '../store/coverage.store.ts';

/** What an account's corpus covers. The range narrows what is said of metadata-only content. */
export async function readCoverage(db: AnyDatabase, accountId: string, range: TimeRange = {}): Promise<CorpusCoverage> {
  return describeCoverage(await findCoverageFacts(db, { accountId, range }));
}

/**
 * The same for who may leave: the statement is cancelled when the signal is aborted or the budget is used up. `db` only
 * writes the statement. @throws as `runCancellable` does
 */
export async function readCoverageCancellably(
  deps: { readonly db: AnyDatabase; readonly pools: CancellablePools },
  key: CoverageKey,
  options: CancellableOptions,
): Promise<CorpusCoverage> {
  return describeCoverage(await findCoverageFactsCancellably(deps, key, options));
}
