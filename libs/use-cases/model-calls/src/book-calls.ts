import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { holdReservations, settleSpend, type Settlement } from '@steward/budgets';
import { insertUsage, type UsageRow } from '@steward/models';
import type { EmitOptions } from '@steward/webhooks';
import { commitAtOnce } from './store/commit.store.ts';

/** A call that ended, and the part of a lease that is released with it. */
export type EndedRow = UsageRow & Pick<Settlement, 'drawn'>;

export interface EndedCalls {
  readonly accountId: string;
  readonly rows: readonly EndedRow[];
  readonly now: Date;
}

/**
 * Writes rows and records them in the ledger, in one transaction. The commit does not wait for the disk.
 * @returns the ids of the rows that were written: the other rows had been recorded before
 */
export async function bookCalls(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, rows, now }: EndedCalls,
  options: EmitOptions,
): Promise<ReadonlySet<string>> {
  await commitAtOnce(trx);
  await holdReservations(trx, rows);
  const written = new Set(await insertUsage(trx, rows));
  const settlements = rows.map((row) => ({ ...row, isBooked: !written.has(row.id) }));
  await settleSpend(trx, hints, { accountId, now, settlements }, options);
  return written;
}
