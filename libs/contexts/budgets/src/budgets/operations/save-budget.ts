import type { AnyTransaction } from '@steward/database';
import { lockLedger } from '../../ledger/store/ledger.store.ts';
import type { Budget, BudgetTerms } from '../budget.ts';
import { toPico } from '@steward/money';
import { findBudget, rearmCrossings, removeBudget, updateTerms, type BudgetKey } from '../store/budget.store.ts';

/**
 * Updates the terms of a budget, whose subject never changes. After the limit is raised, alerts for thresholds above
 * the current spend may be sent again.
 */
export async function updateBudget(
  trx: AnyTransaction,
  key: BudgetKey,
  { now, ...patch }: { readonly [Name in keyof BudgetTerms]?: BudgetTerms[Name] | undefined } & { readonly now: Date },
): Promise<Budget | undefined> {
  await lockLedger(trx, key.accountId);
  const before = await findBudget(trx, key, now);
  if (before === undefined) return undefined;
  const terms: BudgetTerms = {
    limitAmount: patch.limitAmount ?? before.limitAmount,
    isHard: patch.isHard ?? before.isHard,
    refusesUnsized: patch.refusesUnsized ?? before.refusesUnsized,
    thresholdsPercent: patch.thresholdsPercent ?? before.thresholdsPercent,
    isEnabled: patch.isEnabled ?? before.isEnabled,
  };
  const isRaised = toPico(terms.limitAmount) > toPico(before.limitAmount);
  await updateTerms(trx, key, { ...terms, isRaised, now });
  if (isRaised) await rearmCrossings(trx, key, { ...before, limitAmount: terms.limitAmount });
  return findBudget(trx, key, now);
}

/** Deletes a budget and returns it. Calls in flight are completed without it. */
export async function deleteBudget(trx: AnyTransaction, key: BudgetKey, now: Date): Promise<Budget | undefined> {
  await lockLedger(trx, key.accountId);
  const budget = await findBudget(trx, key, now);
  if (budget !== undefined) await removeBudget(trx, key);
  return budget;
}
