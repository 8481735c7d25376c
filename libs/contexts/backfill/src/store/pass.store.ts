import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

interface PassRow {
  readonly rows: number;
}

/**
 * Joins the current pass, or begins another one if the current pass began at least `restSeconds` ago, or if its start
 * is in the future because the clock was set back.
 */
export async function joinPass(db: AnyDatabase, restSeconds: number): Promise<void> {
  // The condition is evaluated after the row is locked: otherwise, a process that waited for the lock would treat the
  // start of a pass that began in the meantime as a time in the future.
  const isOver = sql`(began_at > clock_timestamp() or began_at <= clock_timestamp() - make_interval(secs => ${restSeconds}))`;
  await sql`
    update backfill.pass set began_at = case when ${isOver} then clock_timestamp() else began_at end,
      rows = case when ${isOver} then 0 else rows end
  `.execute(db);
}

/** Returns the number of rows that the sweepers wrote in the current pass. */
export async function findPassRows(db: AnyDatabase): Promise<number> {
  const [row] = (await sql<PassRow>`select rows from backfill.pass`.execute(db)).rows;
  if (row === undefined) throw new Error('the row of the pass no longer exists');
  return row.rows;
}

/**
 * Adds the rows of this transaction to the pass; returns false, and adds nothing, if the pass would exceed its limit.
 * The first rows of a pass are always allowed, even if they exceed the limit by themselves. Other sweepers wait until
 * the transaction ends, so this is the last statement of the transaction.
 */
export async function addPassRows(
  trx: AnyTransaction,
  { rows, most }: { readonly rows: number; readonly most: number },
): Promise<boolean> {
  const added = await sql`
    update backfill.pass set rows = rows + ${rows} where rows = 0 or rows + ${rows} <= ${most}
  `.execute(trx);
  return added.numAffectedRows === 1n;
}
