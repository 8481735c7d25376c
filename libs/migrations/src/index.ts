/**
 * Migrations: the order of the contexts and the database roles they grant to. One call migrates a database to this
 * build. Also re-encrypts sealed values when SECRET_KEY changes. Not here: tables (each context's `migrations/` defines
 * its own). Used by: the migrate tool, the local stack, the test setup, the gateway's check of the schema at start.
 */
export { ALL_SLICES, migrateAll, type MigrateOptions } from './migrate-all.ts';
export { resealAll, SEALED_COLUMNS, type ResealReport } from './reseal-all.ts';
