import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';

/** Dependencies of the budget routes. */
export interface BudgetsDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
}
