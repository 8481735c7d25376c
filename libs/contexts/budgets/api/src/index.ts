/**
 * API of budgets: routes, schemas and presenters of budgets and what is spent of them, and what runs for them in the
 * gateway (docs/contract/budgets.md).
 *
 * Not here: rules and SQL (`@steward/budgets`), what other APIs answer, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/budgets`).
 * Used by: api-gateway.
 */
export { createBudgetsModule } from './module.ts';
