import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { StartupError } from '@steward/process';
import type { AnyDatabase } from './transact.ts';

/** Migrations of one slice: forward only, listed statically (apps are bundled), frozen once released. */
export interface SliceMigrations {
  /** Postgres schema of the slice; its migration tables live in it too. */
  readonly schema: string;
  /** `NNNN_verb_noun` -> migration. Keys sort in the order they run. */
  readonly migrations: Readonly<Record<string, Migration>>;
}

const MIGRATION_TABLE = 'schema_migration';
const LOCK_TABLE = 'schema_migration_lock';

/**
 * Applies missing migrations under the migrator's lock, each slice in its own transaction. Returns the names applied.
 */
export async function migrateSlice(db: AnyDatabase, slice: SliceMigrations): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...slice.migrations }) },
    migrationTableSchema: slice.schema,
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: LOCK_TABLE,
  });
  const { error, results } = await migrator.migrateToLatest();
  const failed = results?.find((result) => result.status === 'Error');
  if (error !== undefined) {
    throw new Error(`migration ${slice.schema}/${failed?.migrationName ?? '(set-up)'} failed`, { cause: error });
  }
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

/**
 * Refuses to start if the schema is older or newer than this build.
 * @throws StartupError naming the slice, the difference and the command that fixes it.
 */
export async function assertSchemaCurrent(db: AnyDatabase, slice: SliceMigrations): Promise<void> {
  const applied = await listApplied(db, slice.schema);
  const known = Object.keys(slice.migrations).sort();
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  if (missing.length > 0) {
    throw new StartupError(
      `the database schema "${slice.schema}" is behind this version (missing ${missing.join(', ')}); run: npm run migrate`,
    );
  }
  if (unknown.length > 0) {
    throw new StartupError(
      `the database schema "${slice.schema}" is ahead of this version (unknown ${unknown.join(', ')}); deploy the version that made it, or a newer one, and run: npm run migrate`,
    );
  }
}

async function listApplied(db: AnyDatabase, schema: string): Promise<string[]> {
  const table = `${schema}.${MIGRATION_TABLE}`;
  const found = await sql<{ present: boolean }>`select to_regclass(${table}) is not null as present`.execute(db);
  if (found.rows[0]?.present !== true) return [];
  const rows = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  return rows.rows.map((row) => row.name);
}
