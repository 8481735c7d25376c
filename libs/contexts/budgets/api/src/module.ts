import { tagRoutes } from '@steward/http';
import type { Module } from '@steward/api';
import type { BudgetsDeps } from './budgets-deps.ts';
import { createDeleteBudgetRoute } from './delete-budget.ts';
import { createListBudgetsRoute, createReadBudgetRoute } from './read-budgets.ts';
import { createCreateBudgetRoute, createUpdateBudgetRoute } from './save-budget.ts';

/** Creates the module that limits an account's model spend (docs/contract/budgets.md). */
export function createBudgetsModule(deps: BudgetsDeps): Module {
  return {
    routes: tagRoutes('budgets', [
      createCreateBudgetRoute(deps),
      createListBudgetsRoute(deps),
      createReadBudgetRoute(deps),
      createUpdateBudgetRoute(deps),
      createDeleteBudgetRoute(deps),
    ]),
    components: [],
  };
}
