/**
 * API of budgets: routes, schemas and presenters for budgets and their spend (docs/contract/budgets.md).
 *
 * Not here: rules and SQL (`@steward/budgets`); the tests of the routes (`apps/api-gateway/src/surfaces/api/budgets`),
 * because they run the whole gateway. Used by: api-gateway.
 */
export { createBudgetsModule } from './module.ts';
