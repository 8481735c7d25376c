import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { tables, type WatermarkTable } from '../schema.ts';
import type { NewWatermark, Watermark } from '../watermark.ts';

/**
 * Builds the statement that selects the account's watermark; it returns no row until a walk has processed something.
 */
export function selectWatermark(accountId: string): RawBuilder<WatermarkTable> {
  return sql<WatermarkTable>`select * from backfill.watermark where account_id = ${accountId}`;
}

export async function findWatermark(db: AnyDatabase, accountId: string): Promise<Watermark | undefined> {
  const [row] = (await selectWatermark(accountId).execute(db)).rows;
  return row === undefined ? undefined : toWatermark(row);
}

/** Returns the watermarks of the given accounts, except those that no walk has processed yet. */
export async function listWatermarks(
  db: AnyDatabase,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, Watermark>> {
  const rows = await tables(db)
    .selectFrom('backfill.watermark')
    .selectAll()
    .where('account_id', '=', sql<string>`any (${[...accountIds]}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.account_id, toWatermark(row)]));
}

export function toWatermark(row: WatermarkTable): Watermark {
  const { cursor_started_at: startedAt, cursor_session_id: id } = row;
  return {
    state: row.state,
    cursor: startedAt === null || id === null ? undefined : { startedAt, id },
    written: row.sources_written,
    lastPassAt: row.last_pass_at,
    stopReason: row.stop_reason,
    completedAt: row.completed_at,
    walkStartedAt: row.walk_started_at,
    walkGeneration: row.walk_generation,
    coveredUntil: row.covered_until,
    indexedFrom: row.indexed_from,
    walkedSince: row.walked_since,
    failedWalks: row.failed_walks,
  };
}

/** Stores the watermark of an account. Returns the time when it was stored, according to the database's clock. */
export async function upsertWatermark(trx: AnyDatabase, accountId: string, watermark: NewWatermark): Promise<Date> {
  const now = sql<Date>`clock_timestamp()`;
  const change = {
    state: watermark.state,
    cursor_started_at: watermark.cursor?.startedAt ?? null,
    cursor_session_id: watermark.cursor?.id ?? null,
    sources_written: watermark.written,
    last_pass_at: now,
    stop_reason: watermark.stopReason,
    completed_at: watermark.state === 'complete' ? now : null,
    walk_started_at: watermark.walkStartedAt,
    walk_generation: watermark.walkGeneration,
    covered_until: watermark.coveredUntil,
    indexed_from: watermark.indexedFrom,
    walked_since: watermark.walkedSince,
    failed_walks: watermark.failedWalks,
  };
  const kept = await tables(trx)
    .insertInto('backfill.watermark')
    .values({ account_id: accountId, ...change })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(change))
    .returning('last_pass_at')
    .executeTakeFirstOrThrow();
  return kept.last_pass_at;
}

/** Returns the ids of the accounts that a walk has processed, including deleted accounts. */
export async function listWalkedAccountIds(db: AnyDatabase): Promise<string[]> {
  const rows = await tables(db).selectFrom('backfill.watermark').select('account_id').execute();
  return rows.map((row) => row.account_id);
}

export async function deleteWatermark(db: AnyDatabase, accountId: string): Promise<void> {
  await tables(db).deleteFrom('backfill.watermark').where('account_id', '=', accountId).execute();
}

/**
 * A kind of work that sweepers do on an account. For each account, each kind is done by only one process at a time; the
 * kinds do not block each other.
 */
export type AccountWork = 'backfill' | 'remask';

/**
 * Takes an advisory lock for one kind of work on the account, which is held until the transaction ends. Returns false
 * if another sweeper holds the lock; the caller then skips the account.
 */
export async function tryLockAccount(trx: AnyDatabase, accountId: string, work: AccountWork): Promise<boolean> {
  const name = `${work}:${accountId}`;
  const result = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked
  `.execute(trx);
  return result.rows[0]?.locked === true;
}

/** Accounts with a walk in progress. */
export interface WalkBacklog {
  readonly accounts: number;
  /** Seconds since the oldest walk in progress began; 0 if there is none. */
  readonly oldestSeconds: number;
}

export async function readWalkBacklog(db: AnyDatabase): Promise<WalkBacklog> {
  const { rows } = await sql<WalkBacklog>`
    select count(*)::int as accounts,
      coalesce(extract(epoch from clock_timestamp() - min(walk_started_at)), 0)::float8 as "oldestSeconds"
    from backfill.watermark where state = 'in_progress'
  `.execute(db);
  return rows[0] ?? { accounts: 0, oldestSeconds: 0 };
}
