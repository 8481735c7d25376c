import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import { lockBooks, moveBuckets } from '../../books/store/book.store.ts';
import { carryHolds } from '../../books/store/reservation.store.ts';
import type { JoinedAgents } from '../budget.ts';
import { toPico } from '@steward/money';
import { followMergedAgent, listBudgets, moveBudgetsOfAgent, removeUnopenedOfAgents } from '../store/budget.store.ts';
import type { SpentBefore } from './make-budget.ts';

/**
 * What limits one agent limits another from now on, and each of that one's budgets has spent what both have, by their usage rows,
 * in the period of this moment: lists of those find them by either. Calls of the account wait for the sums; those of the former agent
 * that are under way are held by the other's budgets, and those that end, or begin, afterwards are the other's.
 */
export async function joinBudgetsOfAgents(
  trx: AnyTransaction,
  agents: JoinedAgents,
  sumUsage: (spent: SpentBefore) => Promise<string>,
): Promise<void> {
  const { accountId, to } = agents;
  await lockBooks(trx, accountId);
  await removeUnopenedOfAgents(trx, agents);
  await moveBudgetsOfAgent(trx, agents);
  await followMergedAgent(trx, agents);
  const budgets = await listBudgets(trx, { accountId, at: await readDatabaseTime(trx) });
  const movements = [];
  for (const { id: budgetId, periodStart, periodEnd: until, spent, ...subject } of budgets) {
    if (subject.scope !== 'managed_agent' || subject.scopeId !== to) continue;
    const sum = await sumUsage({ ...subject, accountId, since: periodStart, until });
    movements.push({ budgetId, periodStart, spent: toPico(sum) - toPico(spent), reserved: 0n });
  }
  await moveBuckets(trx, accountId, movements);
  await carryHolds(trx, { accountId, to });
}
