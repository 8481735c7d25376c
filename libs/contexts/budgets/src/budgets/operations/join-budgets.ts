import { readDatabaseTime, type AnyTransaction } from '@steward/database';
import { lockLedger, moveBuckets } from '../../ledger/store/ledger.store.ts';
import { carryHolds } from '../../ledger/store/reservation.store.ts';
import type { Budget, JoinedAgents } from '../budget.ts';
import { toPico } from '@steward/money';
import { followMergedAgent, listBudgets, moveBudgetsOfAgent, removeUnopenedOfAgents } from '../store/budget.store.ts';
import type { SpentBefore } from './make-budget.ts';

/** The agent that was merged, or the one into which it was merged. */
export type JoinedSide = 'former' | 'other';

/**
 * Moves the budgets of the former agent (which was merged) to the other one; each budget of the other agent then
 * contains the spend of both agents in the current period. Spend that a budget already contains is kept, since
 * retention may have removed the usage rows of this spend. Each budget has counted the calls of only one of the two
 * agents; the spend of the other one is added, as computed from usage rows or, if it is higher, as counted in that
 * agent's own budget for the same model and period. Calls of the account wait until the sums have been computed. The
 * reservations of calls in progress of the former agent are counted in the budgets of the other agent; calls that begin
 * or end later belong to the other agent.
 * @param sumUsage - returns the sum of the usage rows of one of the agents, including the rows of agents merged into it
 * earlier
 */
export async function joinBudgetsOfAgents(
  trx: AnyTransaction,
  agents: JoinedAgents,
  sumUsage: (spent: SpentBefore, side: JoinedSide) => Promise<string>,
): Promise<void> {
  const { accountId, agentId, to } = agents;
  await lockLedger(trx, accountId);
  await removeUnopenedOfAgents(trx, agents);
  const at = await readDatabaseTime(trx);
  const former = (await listBudgets(trx, { accountId, at })).filter((budget) => isOfAgent(budget, agentId));
  await moveBudgetsOfAgent(trx, agents);
  await followMergedAgent(trx, agents);
  const movements = [];
  for (const budget of (await listBudgets(trx, { accountId, at })).filter((each) => isOfAgent(each, to))) {
    const { id: budgetId, periodStart, periodEnd: until, spent, ...subject } = budget;
    const sumOf = async (side: JoinedSide): Promise<bigint> =>
      toPico(await sumUsage({ ...subject, accountId, since: periodStart, until }, side));
    const [formerSum, otherSum] = [await sumOf('former'), await sumOf('other')];
    const isMoved = former.some(({ id }) => id === budgetId);
    const twin = isMoved ? undefined : former.find((each) => hasSamePeriod(each, budget));
    const uncounted = isMoved ? otherSum : max(formerSum, toPico(twin?.spent ?? '0'));
    const more = max(uncounted, formerSum + otherSum - toPico(spent));
    movements.push({ budgetId, periodStart, spent: more, reserved: 0n });
  }
  await moveBuckets(trx, accountId, movements);
  await carryHolds(trx, { accountId, to });
}

function isOfAgent({ scope, scopeId }: Budget, agentId: string): boolean {
  return scope === 'managed_agent' && scopeId === agentId;
}

function hasSamePeriod(one: Budget, other: Budget): boolean {
  return (
    one.period === other.period &&
    one.modelAlias === other.modelAlias &&
    one.periodStart.getTime() === other.periodStart.getTime()
  );
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
