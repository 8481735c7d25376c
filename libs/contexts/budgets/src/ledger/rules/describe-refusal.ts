import type { Budget } from '../../budgets/budget.ts';
import { fromPico, toPico } from '@steward/money';
import { namePeriod } from '../../budgets/rules/period.ts';
import type { ReserveOutcome, SpendRequest } from '../spend.ts';

/** Describes why a call does not fit into a hard budget. */
export function describeRefusal(
  budget: Budget,
  { amountUsd, isUnsized = false }: Pick<SpendRequest, 'amountUsd' | 'isUnsized'>,
): ReserveOutcome {
  if (amountUsd === null) return refuseUnpriced(budget);
  return isUnsized && budget.refusesUnsized ? refuseUnsized(budget) : refuseExceeded(budget, toPico(amountUsd));
}

function refuseUnsized(budget: Budget): ReserveOutcome {
  const reason = `The cost of the call cannot be determined from its body, and ${describe(budget)} refuses such calls.`;
  return { kind: 'unsized_call', budgetId: budget.id, reason, resetsAt: undefined };
}

function refuseUnpriced(budget: Budget): ReserveOutcome {
  const reason = `The model has no price, and ${describe(budget)} is a hard limit. Set the prices of the model.`;
  return { kind: 'unpriced_model', budgetId: budget.id, reason, resetsAt: undefined };
}

function refuseExceeded(budget: Budget, amount: bigint): ReserveOutcome {
  const { spent, reserved, limitAmount } = budget;
  const resetsAt = budget.periodEnd;
  const again = resetsAt === undefined ? '' : ` The next period begins at ${resetsAt.toISOString()}.`;
  const held = `${fromPico(toPico(spent))} is spent and ${fromPico(toPico(reserved))} is reserved by calls in flight`;
  const reason = `The call may cost ${fromPico(amount)} USD and would exceed ${describe(budget)}: of ${limitAmount} USD, ${held}.${again}`;
  return { kind: 'budget_exceeded', budgetId: budget.id, reason, resetsAt };
}

function describe({ id, scope, scopeId, modelAlias, period, timeZone, periodStart: start }: Budget): string {
  const whose = scopeId === null ? scope : `${scope} ${scopeId}`;
  const model = modelAlias === null ? '' : `, model ${modelAlias}`;
  return `budget ${id} (${whose}${model}, ${namePeriod({ period, timeZone, start })})`;
}
