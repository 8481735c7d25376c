import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { lockBooks, moveBuckets } from '../../books/store/book.store.ts';
import type { Budget, BudgetSubject, BudgetTerms } from '../budget.ts';
import { toPico } from '../rules/money.ts';
import { endOf, startOf } from '../rules/period.ts';
import {
  insertBudget,
  listBudgets,
  rearmCrossings,
  removeBudget,
  requireBudgetQuota,
  updateTerms,
  type BudgetKey,
} from '../store/budget.store.ts';

/** Sum of what usage rows say of a subject in a stretch of time; undefined is without an end. */
export type SumUsage = (
  subject: BudgetSubject,
  time: { readonly since: Date; readonly until: Date | undefined },
) => Promise<string>;

/**
 * A budget begins with what was spent in its period before there was it: from its first moment its books are the sum of the rows.
 * @param sumUsage reads in this transaction
 * @returns undefined when the account has one about the same
 * @throws quota_reached
 */
export async function createBudget(
  trx: AnyTransaction,
  { accountId, now, ...fields }: { readonly accountId: string; readonly now: Date } & BudgetSubject & BudgetTerms,
  sumUsage: SumUsage,
): Promise<Budget | undefined> {
  await requireBudgetQuota(trx, accountId);
  await lockBooks(trx, accountId);
  const id = newId();
  if (!(await insertBudget(trx, { accountId, id, now, ...fields }))) return undefined;
  const periodStart = startOf(fields.period, now);
  const spent = toPico(await sumUsage(fields, { since: periodStart, until: endOf(fields.period, periodStart) }));
  await moveBuckets(trx, accountId, [{ budgetId: id, periodStart, spent, reserved: 0n }]);
  return findBudget(trx, { accountId, id }, now);
}

/** What a budget is about stays; a limit that is raised lets what lies above be told again. */
export async function updateBudget(
  trx: AnyTransaction,
  key: BudgetKey,
  { now, ...patch }: { readonly [Name in keyof BudgetTerms]?: BudgetTerms[Name] | undefined } & { readonly now: Date },
): Promise<Budget | undefined> {
  await lockBooks(trx, key.accountId);
  const before = await findBudget(trx, key, now);
  if (before === undefined) return undefined;
  const terms: BudgetTerms = {
    limitAmount: patch.limitAmount ?? before.limitAmount,
    isHard: patch.isHard ?? before.isHard,
    thresholdsPercent: patch.thresholdsPercent ?? before.thresholdsPercent,
    isEnabled: patch.isEnabled ?? before.isEnabled,
  };
  const isRaised = toPico(terms.limitAmount) > toPico(before.limitAmount);
  await updateTerms(trx, key, { ...terms, isRaised, now });
  if (isRaised) await rearmCrossings(trx, key, { ...before, limitAmount: terms.limitAmount });
  return findBudget(trx, key, now);
}

/** What was deleted. Calls under way end without it. */
export async function deleteBudget(trx: AnyTransaction, key: BudgetKey, now: Date): Promise<Budget | undefined> {
  await lockBooks(trx, key.accountId);
  const budget = await findBudget(trx, key, now);
  if (budget !== undefined) await removeBudget(trx, key);
  return budget;
}

async function findBudget(trx: AnyTransaction, { accountId, id }: BudgetKey, at: Date): Promise<Budget | undefined> {
  const [budget] = await listBudgets(trx, { accountId, id, at });
  return budget;
}
