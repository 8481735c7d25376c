import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';

/** What budgets are served from. */
export interface BudgetsDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
}
