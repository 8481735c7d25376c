import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { SliceMigrations } from '@steward/database';
import { backfillMigrations } from '@steward/backfill';
import { flowsMigrations } from '@steward/flows';
import { modelsMigrations } from '@steward/models';
import { budgetsMigrations } from '@steward/budgets';
import { approvalsMigrations } from '@steward/approvals';
import { toolServersMigrations } from '@steward/tool-servers';
import { agentsMigrations } from '@steward/agents';
import { trackersMigrations } from '@steward/trackers';
import { gatewayMigrations } from '@steward/gateway-schema';
import { policiesMigrations } from '@steward/policies';
import { searchMigrations } from '@steward/search';
import { webhooksMigrations } from '@steward/webhooks';
import { statsMigrations } from '@steward/stats';
import { ensureRoles } from './ensure-roles.ts';
import { LOCK_TIMEOUT_MS, migratePatiently } from './migrate-patiently.ts';

export interface MigrateOptions {
  /** URL of a role that may create schemas, extensions and roles. */
  readonly databaseUrl: string;
  readonly log: (line: string) => void;
  /** Passwords by database role; the roles with a password can log in afterwards. */
  readonly rolePasswords?: Readonly<Record<string, string>>;
  /**
   * True to create only the roles, and leave the database itself unchanged; used before a restore, which grants
   * permissions to the roles.
   */
  readonly rolesOnly?: boolean;
}

/**
 * Migrations of all contexts, in the order in which they are applied. The context stats has triggers on tables of the
 * other contexts and comes last. The order of the other contexts only determines which error an operator sees first.
 */
export const ALL_SLICES: readonly SliceMigrations[] = [
  gatewayMigrations,
  searchMigrations,
  webhooksMigrations,
  flowsMigrations,
  backfillMigrations,
  modelsMigrations,
  policiesMigrations,
  budgetsMigrations,
  approvalsMigrations,
  toolServersMigrations,
  agentsMigrations,
  trackersMigrations,
  statsMigrations,
];

/**
 * Advisory lock that lets only one process migrate at a time, so that two processes do not create the same schemas and
 * roles concurrently.
 */
const MIGRATE_LOCK = 7_383_829_001;
const LOCK_PAUSE_MS = 200;

/** Creates roles, extensions and schemas and applies every missing migration of every context. Idempotent. */
export async function migrateAll(options: MigrateOptions): Promise<void> {
  const { databaseUrl: connectionString, log } = options;
  const pool = new pg.Pool({
    connectionString,
    max: 3,
    application_name: 'steward-migrate',
    lock_timeout: LOCK_TIMEOUT_MS,
  });
  // Without a listener, a connection that is lost between two statements, or after the last one, would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const lock = await pool.connect();
  try {
    await takeLock(lock);
    await ensureRoles(db, options.rolePasswords ?? {});
    if (options.rolesOnly === true) return;
    await sql`create extension if not exists vector`.execute(db);
    await sql`create extension if not exists btree_gin`.execute(db);
    for (const slice of ALL_SLICES) {
      await sql`create schema if not exists ${sql.id(slice.schema)}`.execute(db);
      const applied = await migratePatiently(db, slice, { log });
      for (const name of applied) log(`applied ${slice.schema}/${name}`);
    }
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [MIGRATE_LOCK]).catch(() => undefined);
    lock.release();
    await db.destroy();
  }
}

/**
 * Takes the lock with repeated requests instead of waiting for it: a waiting statement holds a snapshot, and an index
 * build waits until that snapshot is released.
 */
async function takeLock(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [MIGRATE_LOCK]);
    if (rows[0]?.taken === true) return;
    await delay(LOCK_PAUSE_MS);
  }
}
