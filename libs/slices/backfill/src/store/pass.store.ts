import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

interface PassRow {
  readonly rows: number;
}

/**
 * Takes part in the pass under way, or begins another when that one began `restSeconds` ago, or later than now: before the clock was
 * set back.
 */
export async function joinPass(db: AnyDatabase, restSeconds: number): Promise<void> {
  // Asked for the time once it has the row: who waited for it would take one begun meanwhile for one of the future.
  const isOver = sql`(began_at > clock_timestamp() or began_at <= clock_timestamp() - make_interval(secs => ${restSeconds}))`;
  await sql`
    update backfill.pass set began_at = case when ${isOver} then clock_timestamp() else began_at end,
      rows = case when ${isOver} then 0 else rows end
  `.execute(db);
}

/** Rows that the sweepers wrote in the pass under way. */
export async function findPassRows(db: AnyDatabase): Promise<number> {
  const [row] = (await sql<PassRow>`select rows from backfill.pass`.execute(db)).rows;
  if (row === undefined) throw new Error('the row of the pass is gone');
  return row.rows;
}

/**
 * Counts rows of this transaction; false when the pass has no room for them. A first source larger than every pass has. The other sweepers
 * wait with theirs until the transaction ends: the last thing it does.
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
