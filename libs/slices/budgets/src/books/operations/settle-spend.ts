import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { EmitOptions } from '@steward/slice-webhooks';
import type { Budget } from '../../budgets/budget.ts';
import { toPico } from '../../budgets/rules/money.ts';
import { listBudgets } from '../../budgets/store/budget.store.ts';
import { createMovements, type BucketChange } from '../rules/collect-movements.ts';
import type { Settlement } from '../spend.ts';
import { lockBooks, moveBuckets } from '../store/book.store.ts';
import { markDead, takeReservations, type Reservation } from '../store/reservation.store.ts';
import { emitCrossings } from './emit-crossings.ts';

export interface Booking {
  readonly accountId: string;
  readonly now: Date;
}

/**
 * What was held becomes what was spent, in the transaction that writes the usage rows: their sum and the books are one. What was
 * assumed of a call whose process died gives way to what is known of it. Also for spend that nothing was held for.
 */
export async function settleSpend(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, now, settlements }: Booking & { readonly settlements: readonly Settlement[] },
  options: EmitOptions,
): Promise<void> {
  await lockBooks(trx, accountId);
  const ids = settlements.map(({ id }) => id);
  const reservations = await takeReservations(trx, accountId, ids);
  const budgets = await listBudgets(trx, { accountId, at: now });
  const movements = createMovements(budgets);
  const booked = new Set(settlements.filter(({ isBooked }) => isBooked).map(({ id }) => id));
  for (const reservation of reservations) {
    const amount = toPico(reservation.amountUsd);
    // What was assumed has a usage row, which stays when nothing better is written.
    if (reservation.state === 'held') movements.release(reservation, amount);
    else if (!booked.has(reservation.id)) movements.spend(reservation, -amount);
  }
  for (const settlement of settlements) {
    if (!settlement.isBooked) movements.spend(settlement, toPico(settlement.costUsd ?? '0'));
  }
  await writeMovements(trx, hints, { accountId, now, budgets, changes: movements.list() }, options);
}

/**
 * Calls of one account whose process died: what they held is spent.
 * @returns the calls, whose usage rows the caller writes in the same transaction
 */
export async function endDeadReservations(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, now }: Booking,
  options: EmitOptions,
): Promise<Reservation[]> {
  await lockBooks(trx, accountId);
  const dead = await markDead(trx, accountId, now);
  const budgets = await listBudgets(trx, { accountId, at: now });
  const movements = createMovements(budgets);
  for (const reservation of dead) {
    const amount = toPico(reservation.amountUsd);
    movements.release(reservation, amount);
    movements.spend(reservation, amount);
  }
  await writeMovements(trx, hints, { accountId, now, budgets, changes: movements.list() }, options);
  return dead;
}

async function writeMovements(
  trx: AnyTransaction,
  hints: HintSink,
  {
    accountId,
    now,
    budgets,
    changes,
  }: Booking & { readonly budgets: readonly Budget[]; readonly changes: BucketChange[] },
  options: EmitOptions,
): Promise<void> {
  const grown = new Set(changes.filter(({ spent }) => spent > 0n).map(({ budgetId }) => budgetId));
  const buckets = await moveBuckets(trx, accountId, changes);
  const reached = buckets.flatMap(({ budgetId, periodStart, spent }) => {
    const budget = budgets.find(({ id }) => id === budgetId);
    return budget === undefined || !grown.has(budgetId) ? [] : [{ budget, periodStart, spent, isRefused: false }];
  });
  await emitCrossings(trx, hints, { accountId, now, reached }, options);
}
