import { sql, type RawBuilder } from 'kysely';
import { executePrepared, type AnyTransaction } from '@steward/database';
import { fromPico, toPico } from '@steward/money';

/**
 * Locks an account's ledger until the commit, so that changes to the ledger or to the account's budgets run one after
 * the other: the sums are correct regardless of the order, and no two changes can deadlock. Later reads in this
 * transaction see the state that the previous holder of the lock committed.
 */
export async function lockLedger(trx: AnyTransaction, accountId: string): Promise<void> {
  await sql`select budgets.lock_books(${accountId})`.execute(trx);
}

/**
 * Locks the ledger like `lockLedger`, for callers that can retry: they do not wait long for another holder of the
 * lock.
 * @throws 55P03 after three seconds
 */
export async function lockLedgerSoon(trx: AnyTransaction, accountId: string): Promise<void> {
  await sql`select set_config('lock_timeout', '3s', true)`.execute(trx);
  await lockLedger(trx, accountId);
}

/**
 * Builds the query that selects the accounts of a statement from a JSON array of objects. Unless `waits` is set, the
 * query takes the locks of those ledgers that are not locked, and leaves out the accounts whose ledger another
 * transaction has locked, so that accounts do not wait for each other.
 * @param columns - names and types of further members, such as `requests jsonb`
 */
export function selectAccounts(
  accounts: readonly { readonly account_id: string }[],
  columns: string,
  { waits, condition = sql`true` }: { readonly waits: boolean; readonly condition?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const isFree = waits ? sql`true` : sql`pg_try_advisory_xact_lock(hashtextextended('budgets ' || a.account_id, 0))`;
  return sql`
    select a.* from jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) as a (account_id uuid, ${sql.raw(columns)})
    where ${condition} and ${isFree}
  `;
}

/** A change to one bucket, in units of 10^-12 dollars. */
export interface Movement {
  readonly budgetId: string;
  readonly periodStart: Date;
  readonly spent: bigint;
  readonly reserved: bigint;
}

/**
 * Adds the movements to their buckets; returns the resulting buckets, in the order of the movements. Each bucket may
 * occur only once in the movements.
 */
export async function moveBuckets(
  trx: AnyTransaction,
  accountId: string,
  movements: readonly Movement[],
): Promise<{ readonly budgetId: string; readonly periodStart: Date; readonly spent: bigint }[]> {
  if (movements.length === 0) return [];
  const { rows } = await executePrepared(
    trx,
    'budgets.move-buckets',
    sql<{ budget_id: string; period_start: Date; spent: string }>`
    insert into budgets.bucket (account_id, budget_id, period_start, spent, reserved)
    select ${accountId}, * from unnest(${movements.map(({ budgetId }) => budgetId)}::uuid[],
      ${movements.map(({ periodStart }) => periodStart)}::timestamptz[],
      ${movements.map(({ spent }) => fromPico(spent))}::numeric[],
      ${movements.map(({ reserved }) => fromPico(reserved))}::numeric[])
    on conflict (account_id, budget_id, period_start) do update set
      spent = bucket.spent + excluded.spent, reserved = bucket.reserved + excluded.reserved
    returning budget_id, period_start, spent::text as spent
  `,
  );
  return rows.map((row) => ({
    budgetId: row.budget_id,
    periodStart: row.period_start,
    spent: toPico(row.spent),
  }));
}

export interface Crossing {
  readonly budgetId: string;
  readonly periodStart: Date;
  readonly kind: 'threshold' | 'exceeded';
  readonly thresholdPercent: number;
}

/** Inserts those crossings that have not been recorded before, and returns the inserted ones. */
export async function insertCrossings(
  trx: AnyTransaction,
  accountId: string,
  crossings: readonly Crossing[],
): Promise<Crossing[]> {
  if (crossings.length === 0) return [];
  const { rows } = await sql<{
    budget_id: string;
    period_start: Date;
    kind: Crossing['kind'];
    threshold_percent: number;
  }>`
    insert into budgets.crossing (account_id, budget_id, period_start, kind, threshold_percent)
    select ${accountId}, * from unnest(${crossings.map(({ budgetId }) => budgetId)}::uuid[],
      ${crossings.map(({ periodStart }) => periodStart)}::timestamptz[], ${crossings.map(({ kind }) => kind)}::text[],
      ${crossings.map(({ thresholdPercent }) => thresholdPercent)}::integer[])
    on conflict do nothing returning budget_id, period_start, kind, threshold_percent
  `.execute(trx);
  return rows.map((row) => ({
    budgetId: row.budget_id,
    periodStart: row.period_start,
    kind: row.kind,
    thresholdPercent: row.threshold_percent,
  }));
}
