/**
 * Database: the connection pool with the query builder on top, migrations of a slice under a lock, the check that a
 * schema fits the build, the names of the apps' roles, readings of driver errors.
 *
 * Not here: any table, any query (each slice owns its own), the order of slices (the migrations lib).
 * Used by: every app, every slice.
 */
export { createDatabase } from './create-database.ts';
export type { Database, DatabaseOptions } from './create-database.ts';
export { assertSchemaCurrent, migrateSlice } from './migrations.ts';
export type { SliceMigrations } from './migrations.ts';
export { isStatementCancelled, isTransientDatabaseError, isUniqueViolation, readSqlState } from './pg-errors.ts';
export { PreparingClient } from './preparing-client.ts';
export type { StatementPool } from './statement-pool.ts';
export { transact } from './transact.ts';
export type { AnyDatabase, AnyTransaction, HintBatchPublisher, HintPublisher } from './transact.ts';
export { OutOfTimeError, runCancellable } from './run-cancellable.ts';
export type { CancellablePools } from './run-cancellable.ts';
export type { CancellableOptions } from './run-cancellable.ts';
export { APP_ROLES } from './roles.ts';
export type { AppRole } from './roles.ts';
