/**
 * API of budgets: routes, schemas and presenters of budgets and their spend (docs/contract/budgets.md).
 *
 * Not here: rules and SQL (`@steward/budgets`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/budgets`). Used by: api-gateway.
 */
export { createBudgetsModule } from './module.ts';
