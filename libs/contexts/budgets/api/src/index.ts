/**
 * API of budgets: routes, schemas and presenters of budgets and their spend, with their background tasks in the gateway
 * (docs/contract/budgets.md).
 *
 * Not here: rules and SQL (`@steward/budgets`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/budgets`). Used by: api-gateway.
 */
export { createBudgetsModule } from './module.ts';
