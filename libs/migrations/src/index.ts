/**
 * Migrations: the order of the slices and the database roles they grant to. One call brings a database to this build.
 * Also what moves to another key when SECRET_KEY is changed.
 *
 * Not here: any table (each slice's `migrations/` owns its own).
 * Used by: the migrate tool, the local stack, the test set-up.
 */
export { migrateAll, type MigrateOptions } from './migrate-all.ts';
export { resealAll, type ResealReport } from './reseal-all.ts';
