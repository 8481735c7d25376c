import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { EmitOptions } from '@steward/webhooks';
import { listBudgets } from '../../budgets/store/budget.store.ts';
import type { Settlement } from '../spend.ts';
import { lockLedger } from '../store/ledger.store.ts';
import { insertAssumed, lockDead, type Reservation } from '../store/reservation.store.ts';
import { settle } from '../store/settle.store.ts';
import { emitCrossings } from './emit-crossings.ts';

export interface Booking {
  readonly accountId: string;
  readonly now: Date;
}

/**
 * Converts reservations to spend, in the transaction that writes the usage rows, so that the sum of the rows equals the
 * ledger. If the call of a dead process was settled at an assumed cost, the actual cost of the call replaces the
 * assumed one. This function is also used for spend without a reservation.
 */
export async function settleSpend(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, now, settlements }: Booking & { readonly settlements: readonly Settlement[] },
  options: EmitOptions,
): Promise<void> {
  const crossed = await settle(trx, accountId, settlements);
  if (crossed.length === 0) return;
  const budgets = await listBudgets(trx, { accountId, at: now });
  const reached = crossed.flatMap(({ budgetId, periodStart, spent }) => {
    const budget = budgets.find(({ id }) => id === budgetId);
    return budget === undefined ? [] : [{ budget, periodStart, spent, isRefused: false }];
  });
  await emitCrossings(trx, hints, { accountId, now, reached }, options);
}

/**
 * Stores assumed settlements of calls without a reservation: if the actual cost of one of the calls is reported after
 * all, it replaces the assumed cost.
 */
export async function rememberAssumed(
  trx: AnyTransaction,
  accountId: string,
  settlements: readonly (Omit<Settlement, 'isBooked'> & Pick<Reservation, 'aliveUntil'>)[],
): Promise<void> {
  const assumed = settlements.map(({ costUsd, ...one }): Reservation => ({
    ...one,
    ...{ state: 'assumed', amountUsd: costUsd ?? '0', budgetIds: [], periodStarts: [], call: {}, tokens: null },
  }));
  await insertAssumed(trx, accountId, assumed);
}

/**
 * Ends those calls of an account whose process died: their reservations are counted as spend, and are stored in case
 * the actual cost of one of the calls is reported after all.
 * @returns the calls; the caller writes their usage rows in the same transaction
 */
export async function endDeadReservations(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, now }: Booking,
  options: EmitOptions,
): Promise<Reservation[]> {
  await lockLedger(trx, accountId);
  const dead = await lockDead(trx, accountId, now);
  if (dead.length === 0) return [];
  const settlements = dead.map((one) => ({ ...one, costUsd: one.amountUsd, inputTokens: one.tokens, isBooked: false }));
  await settleSpend(trx, hints, { accountId, now, settlements }, options);
  await insertAssumed(trx, accountId, dead);
  return dead;
}
