import type { Budget } from '../../budgets/budget.ts';
import { fromPico, toPico } from '../../budgets/rules/money.ts';
import { endOf, namePeriod } from '../../budgets/rules/period.ts';
import type { ReserveOutcome, SpendRequest } from '../spend.ts';
import { counts } from './match.ts';

export interface Decision {
  readonly request: SpendRequest;
  readonly outcome: ReserveOutcome;
  /** What the call holds of; empty when it was refused. */
  readonly budgets: readonly Budget[];
}

/** First come, first served; each call gets room in all its budgets or in none. Budgets are those of the requests' moment. */
export function decideReservations(budgets: readonly Budget[], requests: readonly SpendRequest[]): Decision[] {
  const taken = new Map(budgets.map(({ id, spent, reserved }) => [id, toPico(spent) + toPico(reserved)]));
  return requests.map((request) => {
    const matching = budgets.filter((budget) => counts(budget, request));
    const hard = matching.filter(({ isHard, isEnabled }) => isHard && isEnabled);
    const [anyHard] = hard;
    if (request.amountUsd === null && anyHard !== undefined) {
      return { request, outcome: refuseUnpriced(anyHard), budgets: [] };
    }
    const amount = toPico(request.amountUsd ?? '0');
    const full = hard.find(({ id, limitAmount }) => (taken.get(id) ?? 0n) + amount > toPico(limitAmount));
    if (full !== undefined) return { request, outcome: refuseExceeded(full, amount), budgets: [] };
    for (const { id } of matching) taken.set(id, (taken.get(id) ?? 0n) + amount);
    return { request, outcome: { kind: 'reserved' }, budgets: matching };
  });
}

function refuseUnpriced(budget: Budget): ReserveOutcome {
  const reason = `The price of the model is unknown, and ${describe(budget)} is a hard limit. Give the model its prices.`;
  return { kind: 'unpriced_model', budgetId: budget.id, reason, resetsAt: undefined };
}

function refuseExceeded(budget: Budget, amount: bigint): ReserveOutcome {
  const { spent, reserved, limitAmount } = budget;
  const resetsAt = endOf(budget.period, budget.periodStart);
  const again = resetsAt === undefined ? '' : ` It begins anew at ${resetsAt.toISOString()}.`;
  const held = `${fromPico(toPico(spent))} spent and ${fromPico(toPico(reserved))} reserved by calls under way`;
  const reason = `The call may cost ${fromPico(amount)} USD and would pass ${describe(budget)}, of whose ${limitAmount} USD ${held}.${again}`;
  return { kind: 'budget_exceeded', budgetId: budget.id, reason, resetsAt };
}

function describe({ id, scope, scopeId, modelAlias, period, periodStart }: Budget): string {
  const whose = scopeId === null ? scope : `${scope} ${scopeId}`;
  const model = modelAlias === null ? '' : `, model ${modelAlias}`;
  return `budget ${id} (${whose}${model}, ${namePeriod(period, periodStart)})`;
}
