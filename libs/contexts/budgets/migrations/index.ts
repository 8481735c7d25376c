import type { SliceMigrations } from '@steward/database';
import { grantSchema } from './0001_grant_schema.ts';
import { createBudget } from './0002_create_budget.ts';
import { createReservation } from './0003_create_reservation.ts';
import { moveBooksAtOnce } from './0004_move_books_at_once.ts';
import { openBudgetsLate } from './0005_open_budgets_late.ts';
import { takeOverLivingCalls } from './0006_take_over_living_calls.ts';
import { followMergedAgents } from './0007_follow_merged_agents.ts';
import { refuseUnsizedCalls } from './0008_refuse_unsized_calls.ts';
import { limitKeys } from './0009_limit_keys.ts';
import { takeTimeZones } from './0010_take_time_zones.ts';
import { leaseBudgets } from './0011_lease_budgets.ts';
import { noteCallerChange } from './0012_note_caller_change.ts';
import { settleAccountsTogether } from './0013_settle_accounts_together.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const budgetsMigrations: SliceMigrations = {
  schema: 'budgets',
  migrations: {
    '0001_grant_schema': grantSchema,
    '0002_create_budget': createBudget,
    '0003_create_reservation': createReservation,
    '0004_move_books_at_once': moveBooksAtOnce,
    '0005_open_budgets_late': openBudgetsLate,
    '0006_take_over_living_calls': takeOverLivingCalls,
    '0007_follow_merged_agents': followMergedAgents,
    '0008_refuse_unsized_calls': refuseUnsizedCalls,
    '0009_limit_keys': limitKeys,
    '0010_take_time_zones': takeTimeZones,
    '0011_lease_budgets': leaseBudgets,
    '0012_note_caller_change': noteCallerChange,
    '0013_settle_accounts_together': settleAccountsTogether,
  },
};
