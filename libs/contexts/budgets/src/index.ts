/**
 * Budgets context: limits on an account's model spend (`budgets`), the ledger of spend and reservations (`ledger`), and
 * amounts that processes reserve in advance of calls (`leases`).
 *
 * Not here: HTTP; usage rows of individual calls (the models context). Used by: api-gateway; the use cases for model
 * calls and for merging agents; the APIs of budgets, API keys and charts.
 */
export { budgetsMigrations } from '../migrations/index.ts';
export {
  BUDGET_SCOPES,
  type Budget,
  type BudgetScope,
  type BudgetSubject,
  type BudgetTerms,
} from './budgets/budget.ts';
export { BUDGET_PERIODS, isTimeZone, type BudgetPeriod } from './budgets/rules/period.ts';
export { knowsTimeZone } from './budgets/store/period.store.ts';
export { createBudgetMaker, type BudgetDraft, type SpentBefore } from './budgets/operations/make-budget.ts';
export { deleteBudget, updateBudget } from './budgets/operations/save-budget.ts';
export { joinBudgetsOfAgents } from './budgets/operations/join-budgets.ts';
export { listBudgets, selectBudgetsRevision } from './budgets/store/budget.store.ts';
export { selectAccounts } from './ledger/store/ledger.store.ts';
export { callSettle, callSettleLocked, describeSettlements, isUntoldCrossing } from './ledger/store/settle.store.ts';
export type {
  DrawnAmount,
  ReserveOutcome,
  Settlement,
  SpendRequest,
  SpendSubject,
  UntoldRefusal,
} from './ledger/spend.ts';
export type { ChangedLease, DrawnCall, LeaseChange } from './leases/lease.ts';
export { changeLeases, type LeaseChanges } from './leases/store/lease.store.ts';
export { reserveSpend, reserveTogether } from './ledger/operations/reserve-spend.ts';
export { endDeadReservations, rememberAssumed, settleSpend } from './ledger/operations/settle-spend.ts';
export { forgetKeyWindows, readKeyUse, type KeyUse } from './ledger/store/key-window.store.ts';
export {
  forgetAssumed,
  holdReservations,
  keepReservationsAlive,
  listAccountsOfDead,
  selectHeld,
} from './ledger/store/reservation.store.ts';
