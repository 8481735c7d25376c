import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { PolicyDocument } from '../../document/rules/policy-document.ts';
import { tables, type BacktestRow } from '../../schema.ts';
import type { Backtest, BacktestTallies, ChangedExample } from '../backtest.ts';

export interface NewBacktest {
  readonly id: string;
  readonly accountId: string;
  readonly document: PolicyDocument | null;
  readonly version: number;
  readonly since: Date;
  readonly until: Date;
  readonly limit: number;
  readonly createdBy: string | null;
}

/** A backtest whose row this transaction has locked, so that no other process works on it. */
export interface LockedBacktest extends Backtest {
  readonly accountId: string;
  readonly document: PolicyDocument | null;
  readonly before: { readonly at: Date; readonly id: string } | undefined;
}

/** Minimum number of days for which a finished backtest can be read. */
const KEPT_DAYS = 30;
/** Number of consecutive failures after which a backtest is abandoned. */
const MAX_ATTEMPTS = 5;

export async function insertBacktest(trx: AnyTransaction, backtest: NewBacktest): Promise<void> {
  await tables(trx)
    .insertInto('policies.backtest')
    .values({
      id: backtest.id,
      account_id: backtest.accountId,
      document: backtest.document === null ? null : JSON.stringify(backtest.document),
      version: backtest.version,
      since: backtest.since,
      until: backtest.until,
      call_limit: backtest.limit,
      created_by: backtest.createdBy,
    })
    .execute();
  await sql`
    delete from policies.backtest
    where account_id = ${backtest.accountId} and finished_at < now() - make_interval(days => ${KEPT_DAYS})
  `.execute(trx);
}

export async function findBacktest(db: AnyDatabase, accountId: string, id: string): Promise<Backtest | undefined> {
  const row = await tables(db)
    .selectFrom('policies.backtest')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : toBacktest(row);
}

/** Selects one row for each unfinished backtest of the account. */
export function selectUnfinished(accountId: string): RawBuilder<unknown> {
  return sql`select 1 from policies.backtest where account_id = ${accountId} and status in ('queued', 'running')`;
}

const isDue = sql`status in ('queued', 'running') and due_at <= now()`;

/** Selects the due backtests of all accounts. */
export const DUE_BACKTESTS = sql`select from policies.backtest where ${isDue}`;

/**
 * Locks and returns the due backtest that has waited longest, among those that no other process has locked; undefined
 * if there is none. Backtests take turns, batch by batch.
 */
export async function lockDueBacktest(trx: AnyTransaction): Promise<LockedBacktest | undefined> {
  const { rows } = await sql<BacktestRow>`
    select * from policies.backtest
    where ${isDue}
    order by due_at, id limit 1 for update skip locked
  `.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { cursor_occurred_at: at, cursor_id: id } = row;
  return {
    ...toBacktest(row),
    accountId: row.account_id,
    document: row.document,
    before: at === null || id === null ? undefined : { at, id },
  };
}

/** Saves the results of a batch and the position at which the next batch starts; `isFinished` marks the last batch. */
export async function saveBatch(
  trx: AnyTransaction,
  id: string,
  batch: {
    readonly sums: BacktestTallies;
    readonly before: { readonly at: Date; readonly id: string } | undefined;
    readonly isFinished: boolean;
  },
): Promise<void> {
  const { sums, before, isFinished } = batch;
  await sql`
    update policies.backtest set
      status = ${isFinished ? 'finished' : 'running'}, finished_at = ${isFinished ? sql`now()` : null},
      cursor_occurred_at = ${before?.at ?? null}, cursor_id = ${before?.id ?? null},
      examined = ${sums.examined}, without_arguments = ${sums.withoutArguments}, allowed = ${sums.allowed},
      denied = ${sums.denied}, held = ${sums.held}, changed = ${sums.changed},
      changed_examples = ${JSON.stringify(sums.examples)}::jsonb,
      counts = ${sums.counts === null ? null : JSON.stringify(sums.counts)}::jsonb, attempts = 0, due_at = clock_timestamp()
    where id = ${id}
  `.execute(trx);
}

/** Retries a failed backtest later, or abandons it after several failures. The error is in the log. */
export async function postponeBacktest(db: AnyDatabase, id: string): Promise<void> {
  await sql`
    update policies.backtest set
      attempts = attempts + 1, due_at = now() + make_interval(secs => 5 * (attempts + 1)),
      status = case when attempts + 1 >= ${MAX_ATTEMPTS} then 'failed' else status end,
      finished_at = case when attempts + 1 >= ${MAX_ATTEMPTS} then now() end,
      failure = case when attempts + 1 >= ${MAX_ATTEMPTS} then 'The service failed to go through the calls.' end
    where id = ${id} and status in ('queued', 'running')
  `.execute(db);
}

function toBacktest(row: BacktestRow): Backtest {
  return {
    id: row.id,
    status: row.status,
    version: row.version,
    hasDocument: row.document !== null,
    since: row.since,
    until: row.until,
    limit: row.call_limit,
    examined: row.examined,
    withoutArguments: row.without_arguments,
    allowed: row.allowed,
    denied: row.denied,
    held: row.held,
    changed: row.changed,
    examples: row.changed_examples as unknown as ChangedExample[],
    counts: isComplete(row) ? row.counts : null,
    examinedBackTo: row.cursor_occurred_at,
    failure: row.failure,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

/**
 * Returns whether the counts include all examined calls. They do not before the first batch, or if an earlier version,
 * which keeps no counts, examined some of the calls during an upgrade.
 */
function isComplete({ counts, examined }: BacktestRow): boolean {
  if (counts === null) return false;
  const { allow, deny, require_approval: held } = counts.before;
  return allow + deny + held === examined;
}
