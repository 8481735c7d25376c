import type { AnswerBody } from '@steward/http';
import { percentOf, toPico } from '@steward/money';
import type { Budget } from '@steward/budgets';
import type { BudgetAnswer } from './budget-schemas.ts';

export function presentBudget(budget: Budget): AnswerBody<typeof BudgetAnswer> {
  return {
    id: budget.id,
    scope: budget.scope,
    scope_id: budget.scopeId,
    model_alias: budget.modelAlias,
    period: budget.period,
    time_zone: budget.timeZone,
    limit_amount: Number(budget.limitAmount),
    currency: 'USD',
    hard: budget.isHard,
    unsized_calls: budget.refusesUnsized ? 'refuse' : 'hold',
    thresholds_percent: budget.thresholdsPercent,
    enabled: budget.isEnabled,
    period_start: budget.period === 'all_time' ? null : budget.periodStart,
    period_end: budget.periodEnd ?? null,
    spent_amount: Number(budget.spent),
    reserved_amount: Number(budget.reserved),
    percent_used: percentOf(toPico(budget.spent), toPico(budget.limitAmount)),
    created_at: budget.createdAt,
    updated_at: budget.updatedAt,
  };
}
