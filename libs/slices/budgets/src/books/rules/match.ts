import type { BudgetSubject } from '../../budgets/budget.ts';
import type { SpendSubject } from '../spend.ts';

/** Whether what this call costs counts into the budget. */
export function counts({ scope, scopeId, modelAlias }: BudgetSubject, call: SpendSubject): boolean {
  if (modelAlias !== null && modelAlias !== call.modelAlias) return false;
  switch (scope) {
    case 'account':
      return true;
    case 'api_key':
      return scopeId === call.apiKeyId;
    case 'flow':
      return scopeId === call.flowId;
    case 'managed_agent':
      return scopeId === call.managedAgentId;
  }
}
