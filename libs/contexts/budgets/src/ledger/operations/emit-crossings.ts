import type { HintSink } from '@steward/contracts';
import { deterministicId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { emitEvent, type EmitOptions } from '@steward/webhooks';
import type { Budget } from '../../budgets/budget.ts';
import { percentOf, toPico } from '@steward/money';
import { namePeriod } from '../../budgets/rules/period.ts';
import { insertCrossings, type Crossing } from '../store/ledger.store.ts';

/** Current spend of a budget in one period. */
export interface Reached {
  readonly budget: Budget;
  readonly periodStart: Date;
  readonly spent: bigint;
  /** True if a call was refused because of the budget. */
  readonly isRefused: boolean;
}

/** Emits events for reached thresholds and limits, each only once per budget and period until the limit is raised. */
export async function emitCrossings(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, now, reached }: { readonly accountId: string; readonly now: Date; readonly reached: readonly Reached[] },
  options: EmitOptions,
): Promise<void> {
  const crossings = reached.filter(({ budget }) => budget.isEnabled).flatMap(listCrossings);
  for (const crossing of await insertCrossings(trx, accountId, crossings)) {
    const found = reached.find(({ budget, periodStart }) => isOf(crossing, budget.id, periodStart));
    if (found === undefined) continue;
    const { budget, spent, periodStart } = found;
    const type = crossing.kind === 'threshold' ? 'budget.threshold' : 'budget.exceeded';
    const period = namePeriod({ ...budget, start: periodStart });
    const armed = [String(budget.armGeneration), String(crossing.thresholdPercent)];
    const limit = toPico(budget.limitAmount);
    const data = {
      scope: budget.scope,
      scope_id: budget.scopeId,
      period,
      currency: 'USD',
      limit_amount: Number(budget.limitAmount),
      spent_amount: Number(spent) / 1e12,
      percent_used: percentOf(spent, limit),
      threshold_percent: crossing.thresholdPercent,
    };
    const id = deterministicId(type, budget.id, period, ...armed);
    await emitEvent(trx, hints, { type, id, accountId, occurredAt: now, data }, options);
  }
}

function listCrossings({ budget, periodStart, spent, isRefused }: Reached): Crossing[] {
  const limit = toPico(budget.limitAmount);
  const of = { budgetId: budget.id, periodStart };
  const thresholds = budget.thresholdsPercent
    .filter((percent) => spent * 100n >= limit * BigInt(percent))
    .map((thresholdPercent) => ({ ...of, kind: 'threshold' as const, thresholdPercent }));
  const isExceeded = budget.isHard && (isRefused || spent >= limit);
  return isExceeded ? [...thresholds, { ...of, kind: 'exceeded', thresholdPercent: 100 }] : thresholds;
}

function isOf(crossing: Crossing, budgetId: string, periodStart: Date): boolean {
  return crossing.budgetId === budgetId && crossing.periodStart.getTime() === periodStart.getTime();
}
