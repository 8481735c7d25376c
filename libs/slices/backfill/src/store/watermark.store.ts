import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { BackfillDatabase, WatermarkTable } from '../schema.ts';

/** Selects the account's watermark; no row while nothing was walked. */
export function selectWatermark(accountId: string): RawBuilder<WatermarkTable> {
  return sql<WatermarkTable>`select * from backfill.watermark where account_id = ${accountId}`;
}

export async function findWatermark(db: AnyDatabase, accountId: string): Promise<WatermarkTable | undefined> {
  const result = await selectWatermark(accountId).execute(db);
  return result.rows[0];
}

export async function upsertWatermark(trx: AnyDatabase, watermark: WatermarkTable): Promise<void> {
  const { account_id: _key, ...change } = watermark;
  await (trx as unknown as Transaction<BackfillDatabase>)
    .insertInto('backfill.watermark')
    .values(watermark)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(change))
    .execute();
}

/** True when this transaction alone walks the account now; another sweeper skips it. */
export async function tryLockAccount(trx: AnyDatabase, accountId: string): Promise<boolean> {
  const name = `backfill:${accountId}`;
  const result = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked
  `.execute(trx);
  return result.rows[0]?.locked === true;
}

/** The database's clock: what the walk answers for is stamped by it. */
export async function readDatabaseTime(db: AnyDatabase): Promise<Date> {
  const result = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return result.rows[0]?.now ?? new Date(0);
}
