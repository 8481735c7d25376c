import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';

/** What budgets are served from. */
export interface BudgetsDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
}

export const BUDGETS_PATH = '/api/v1/budgets';
export const BUDGET_PATH = `${BUDGETS_PATH}/{budget_id}`;
export const BUDGET_RESOURCE = 'budget';
