/**
 * Migrations: the order of the contexts, and the database roles of the apps. One call migrates a database to this
 * build; another one re-encrypts sealed values after a change of SECRET_KEY. Not here: tables (each context's
 * `migrations/` defines its own). Used by: the tools that migrate a database or re-encrypt its values; the local stack,
 * the benchmarks and the test setup; the gateway, which checks the schema and the keys at start.
 */
export { ALL_SLICES, migrateAll, type MigrateOptions } from './migrate-all.ts';
export { resealAll, SEALED_COLUMNS, type ResealReport } from './reseal-all.ts';
