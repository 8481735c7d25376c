/**
 * Backfill context: the walk that writes the missing chunks for each account's history, its progress, and the resulting
 * coverage of the corpus. The context also remasks and reindexes the chunks that older versions wrote.
 *
 * Not here: the loop over the accounts (backfill-sweeper), the chunks (search context), the history (sessions context).
 * Used by: backfill-sweeper; api-gateway and the search API, for the coverage and the progress of walks.
 */
export { backfillMigrations } from '../migrations/index.ts';
export { backfillSettings } from './backfill-settings.ts';
export { advanceWalk, type WalkDeps } from './operations/advance-walk.ts';
export { countRemaining } from './operations/count-remaining.ts';
export { deleteLeftovers } from './operations/delete-leftovers.ts';
export { listAccountsToWalk } from './operations/list-accounts-to-walk.ts';
export type { FailedSource } from './operations/read-batch.ts';
export { readBackfillState, type BackfillState } from './operations/read-backfill-state.ts';
export { readCoverage, readCoverageCancellably } from './operations/read-coverage.ts';
export { readHorizon } from './operations/read-horizon.ts';
export { reindexAccount } from './operations/reindex-account.ts';
export { remaskAccount, type RemaskDeps } from './operations/remask-account.ts';
export { findPassRows, joinPass } from './store/pass.store.ts';
export { readWalkBacklog } from './store/watermark.store.ts';
export type { WalkBudget } from './walk-budget.ts';
