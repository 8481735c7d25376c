import { transact, type Committer } from '@steward/database';
import type { EmitOptions } from '@steward/slice-webhooks';
import { toPico } from '../../budgets/rules/money.ts';
import { listBudgets } from '../../budgets/store/budget.store.ts';
import { decideReservations, type Decision } from '../rules/decide-reservations.ts';
import type { ReserveOutcome, SpendRequest } from '../spend.ts';
import { lockBooks, moveBuckets } from '../store/book.store.ts';
import { insertReservations } from '../store/reservation.store.ts';
import { emitCrossings } from './emit-crossings.ts';

export interface Reserving {
  readonly accountId: string;
  readonly now: Date;
  /** Until then the calls need no further sign of life. */
  readonly aliveUntil: Date;
  readonly requests: readonly SpendRequest[];
}

/**
 * Holds what calls may cost at most, all that wait of one account in one transaction; answers in their order. No hard limit is
 * passed by what is spent and held. A crash of the database server may forget a hold, never what was spent.
 */
export function reserveSpend(
  deps: Committer,
  { accountId, now, aliveUntil, requests }: Reserving,
  options: EmitOptions,
): Promise<ReserveOutcome[]> {
  return transact(deps, async (trx, hints) => {
    await lockBooks(trx, accountId, true);
    const budgets = await listBudgets(trx, { accountId, at: now });
    const decisions = decideReservations(budgets, requests);
    const movements = budgets.flatMap(({ id, periodStart }) => {
      const reserved = sumHeld(decisions, id);
      return reserved === 0n ? [] : [{ budgetId: id, periodStart, spent: 0n, reserved }];
    });
    await moveBuckets(trx, accountId, movements);
    const granted = decisions.filter(({ outcome }) => outcome.kind === 'reserved');
    const rows = granted.map(({ request, budgets: held }) => ({
      request,
      budgetIds: held.map(({ id }) => id),
      periodStarts: held.map(({ periodStart }) => periodStart),
    }));
    await insertReservations(trx, accountId, rows, aliveUntil);
    const refusing = new Set(
      decisions.flatMap(({ outcome }) => (outcome.kind === 'budget_exceeded' ? [outcome.budgetId] : [])),
    );
    const reached = budgets
      .filter(({ id }) => refusing.has(id))
      .map((budget) => ({ budget, periodStart: budget.periodStart, spent: toPico(budget.spent), isRefused: true }));
    await emitCrossings(trx, hints, { accountId, now, reached }, options);
    return decisions.map(({ outcome }) => outcome);
  });
}

function sumHeld(decisions: readonly Decision[], budgetId: string): bigint {
  return decisions
    .filter(({ budgets }) => budgets.some(({ id }) => id === budgetId))
    .reduce((sum, { request }) => sum + toPico(request.amountUsd ?? '0'), 0n);
}
