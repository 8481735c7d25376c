import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { StartupError } from '@steward/process';
import type { AnyDatabase } from './transact.ts';

/**
 * One step of a schema. Running apps of the previous version still work after this step. After a contract step, which
 * is recognized by its name, apps of the previous version can no longer be started.
 */
export interface SliceMigration extends Migration {
  /**
   * True for a step that runs outside a transaction, because it uses `create index concurrently` or commits batches
   * separately. The step may be repeated after a crash, so it must determine which part has already been done.
   */
  readonly isOnline?: boolean;
  /** Step after which no app uses what this contract step removes, in the form `schema/NNNN_verb_noun`. */
  readonly removesUnusedSince?: string;
}

/**
 * Migrations of one context: forward only, listed statically (since apps are bundled), and not changed after their
 * release.
 */
export interface SliceMigrations {
  /** Postgres schema of the context, which also contains the migration tables. */
  readonly schema: string;
  /** Migrations by name, `NNNN_verb_noun` or `NNNN_contract_noun`. They run in the order of their names. */
  readonly migrations: Readonly<Record<string, SliceMigration>>;
}

/**
 * Returns true if a step removes what earlier builds may use; an earlier build then refuses to start on the schema
 * (PROC-2).
 */
export function isContractStep(name: string): boolean {
  return /^\d{4}_contract_/.test(name);
}

const MIGRATION_TABLE = 'schema_migration';
const LOCK_TABLE = 'schema_migration_lock';

/**
 * Applies missing migrations and returns their names. The migrations between two online migrations run in one
 * transaction, under the migrator's lock; online migrations run without this lock.
 */
export async function migrateSlice(db: AnyDatabase, slice: SliceMigrations): Promise<string[]> {
  const applied = await listApplied(db, slice.schema);
  const names = Object.keys(slice.migrations).sort();
  const isDue = (name: string): boolean => slice.migrations[name]?.isOnline === true && !applied.includes(name);
  const done: string[] = [];
  for (const name of names.filter(isDue)) {
    const before = names[names.indexOf(name) - 1];
    if (before !== undefined && !applied.includes(before)) done.push(...(await migrateTo(db, slice, before)));
    await slice.migrations[name]?.up(db);
    done.push(...(await migrateTo(db, slice, name)));
  }
  return [...done, ...(await migrateTo(db, slice, undefined))];
}

const ALREADY_UP: Migration = { up: () => Promise.resolve() };

/**
 * Applies migrations.
 * @param last - the last migration to apply; if undefined, all are applied. An online migration is only recorded here,
 *   because it has already run.
 */
async function migrateTo(db: AnyDatabase, slice: SliceMigrations, last: string | undefined): Promise<string[]> {
  const migrations = Object.fromEntries(
    Object.entries(slice.migrations).map(([name, step]) => [name, step.isOnline === true ? ALREADY_UP : step]),
  );
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableSchema: slice.schema,
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: LOCK_TABLE,
  });
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  const failed = results?.find((result) => result.status === 'Error');
  if (error !== undefined) {
    throw new Error(`migration ${slice.schema}/${failed?.migrationName ?? '(set-up)'} failed`, { cause: error });
  }
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

/**
 * Refuses to start if the schema is older than this build, or so much newer that objects that this build uses may have
 * been removed. Returns the applied steps that this build does not contain: during an upgrade, this build runs together
 * with a newer version (PROC-2).
 * @throws StartupError that names the context, the difference and the command that fixes it.
 */
export async function assertSchemaFits(db: AnyDatabase, slice: SliceMigrations): Promise<readonly string[]> {
  const applied = await listApplied(db, slice.schema);
  const known = Object.keys(slice.migrations).sort();
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  if (missing.length > 0) {
    throw new StartupError(
      `the database schema "${slice.schema}" is behind this version (missing ${missing.join(', ')}); run: npm run migrate`,
    );
  }
  const removing = unknown.filter(isContractStep);
  if (removing.length > 0) {
    throw new StartupError(
      `the database schema "${slice.schema}" is ahead of this version (it removed what this version uses: ${removing.join(', ')}); deploy the version that created it, or a newer one, and run: npm run migrate`,
    );
  }
  return unknown;
}

async function listApplied(db: AnyDatabase, schema: string): Promise<string[]> {
  const table = `${schema}.${MIGRATION_TABLE}`;
  const found = await sql<{ present: boolean }>`select to_regclass(${table}) is not null as present`.execute(db);
  if (found.rows[0]?.present !== true) return [];
  const rows = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  return rows.rows.map((row) => row.name);
}
