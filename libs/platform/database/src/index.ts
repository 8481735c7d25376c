/**
 * Database: the connection pool with the query builder, further pools by name, transactions, migrations of a context,
 * the startup checks of the schema and the keys, the names of the apps' roles, pages of lists, classification of driver
 * errors, reads from a replica, and background tasks that run when there is work.
 *
 * Not here: tables and queries (each context has its own), the order of contexts (the migrations lib). Used by: every
 * context, every app except the console, and libraries that use the database.
 */
export { refuseBusy } from './refuse-busy.ts';
export { assertKeysFit, type KeyCheck } from './assert-keys-fit.ts';
export { changeFunction } from './change-function.ts';
export { createDatabase, reachDatabase, type Database, type DatabaseOptions } from './create-database.ts';
export { createPools } from './create-pools.ts';
export { createDueTasks, type DueTasks } from './due-tasks.ts';
export { createIndexOnline } from './create-index-online.ts';
export { listenTo } from './listen-to.ts';
export {
  assertSchemaFits,
  isContractStep,
  migrateSlice,
  type SliceMigration,
  type SliceMigrations,
} from './migrations.ts';
export {
  isRolledBack,
  isStatementCancelled,
  isTransientDatabaseError,
  isUniqueViolation,
  readSqlState,
} from './pg-errors.ts';
export { executeDeferred, executePrepared, prepared } from './prepared.ts';
export { createReplica, type Replica, type ReplicaLag } from './replica/create-replica.ts';
export { createReplicaMetrics } from './replica/replica-metrics.ts';
export { selectWalPosition, type WalPosition } from './replica/wal-position.ts';
export type { StatementPool } from './statement-pool.ts';
export { containsText } from './contains-text.ts';
export { textArray } from './text-array.ts';
export type { TimeBounds } from './time-bounds.ts';
export {
  transact,
  type AnyDatabase,
  type AnyTransaction,
  type Committer,
  type HintBatchPublisher,
  type HintPublisher,
} from './transact.ts';
export { transactInBatches } from './transact-in-batches.ts';
export { pageById, type IdPage } from './page-by-id.ts';
export { readDatabaseTime } from './read-database-time.ts';
export { readServerFacts, type ServerFacts } from './read-server-facts.ts';
export { requireQuota } from './require-quota.ts';
export { secureDatabaseUrl } from './secure-database-url.ts';
export { OutOfTimeError, runCancellable, type CancellableOptions, type CancellablePools } from './run-cancellable.ts';
export { APP_ROLES, type AppRole } from './roles.ts';
export type { SealedColumn } from './sealed-column.ts';
export { retryDatabase } from './retry-database.ts';
export { waitForDatabase, type WaitOptions } from './wait-for-database.ts';
