import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import { lockLedger, moveBuckets } from '../../ledger/store/ledger.store.ts';
import { carryHolds } from '../../ledger/store/reservation.store.ts';
import type { JoinedAgents } from '../budget.ts';
import { toPico } from '@steward/money';
import { followMergedAgent, listBudgets, moveBudgetsOfAgent, removeUnopenedOfAgents } from '../store/budget.store.ts';
import type { SpentBefore } from './make-budget.ts';

/**
 * Moves the budgets of one agent to another; each budget of the latter gets the spend of both in the current period,
 * computed from their usage rows (which are listed under either id). Calls of the account wait until the sums have been
 * computed. Calls of the former agent that are in progress are counted in the budgets of the other; calls that end or
 * begin later belong to the other agent.
 */
export async function joinBudgetsOfAgents(
  trx: AnyTransaction,
  agents: JoinedAgents,
  sumUsage: (spent: SpentBefore) => Promise<string>,
): Promise<void> {
  const { accountId, to } = agents;
  await lockLedger(trx, accountId);
  await removeUnopenedOfAgents(trx, agents);
  await moveBudgetsOfAgent(trx, agents);
  await followMergedAgent(trx, agents);
  const budgets = await listBudgets(trx, { accountId, at: await readDatabaseTime(trx) });
  const movements = [];
  for (const { id: budgetId, periodStart, periodEnd: until, spent, ...subject } of budgets) {
    if (subject.scope !== 'managed_agent' || subject.scopeId !== to) continue;
    const sum = await sumUsage({ ...subject, accountId, since: periodStart, until });
    // Retention may have removed rows of the period: the spend that was counted before is never lowered.
    const more = toPico(sum) - toPico(spent);
    movements.push({ budgetId, periodStart, spent: more > 0n ? more : 0n, reserved: 0n });
  }
  await moveBuckets(trx, accountId, movements);
  await carryHolds(trx, { accountId, to });
}
