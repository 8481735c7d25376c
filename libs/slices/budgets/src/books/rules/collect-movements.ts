import type { Budget } from '../../budgets/budget.ts';
import { startOf } from '../../budgets/rules/period.ts';
import type { SpendSubject } from '../spend.ts';
import { counts } from './match.ts';

export interface BucketChange {
  readonly budgetId: string;
  readonly periodStart: Date;
  spent: bigint;
  reserved: bigint;
}

/** Changes of buckets, added up: each bucket once, in the order of ids. Budgets that are no more have no books. */
export function createMovements(budgets: readonly Budget[]) {
  const byKey = new Map<string, BucketChange>();
  const known = new Set(budgets.map(({ id }) => id));
  const at = (budgetId: string, periodStart: Date): BucketChange => {
    const key = `${budgetId} ${periodStart.getTime()}`;
    const change = byKey.get(key) ?? { budgetId, periodStart, spent: 0n, reserved: 0n };
    byKey.set(key, change);
    return change;
  };
  return {
    /** Into every budget that the call counts into, in the period it came in. */
    spend(call: SpendSubject & { readonly occurredAt: Date }, amount: bigint): void {
      if (amount === 0n) return;
      for (const budget of budgets.filter((one) => counts(one, call))) {
        at(budget.id, startOf(budget.period, call.occurredAt)).spent += amount;
      }
    },
    release(
      held: { readonly budgetIds: readonly string[]; readonly periodStarts: readonly Date[] },
      amount: bigint,
    ): void {
      held.budgetIds.forEach((id, index) => {
        const periodStart = held.periodStarts[index];
        if (known.has(id) && periodStart !== undefined) at(id, periodStart).reserved -= amount;
      });
    },
    list: (): BucketChange[] => [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change),
  };
}
