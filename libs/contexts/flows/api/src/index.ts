/**
 * API of flows: routes, schemas and presenters for flows, their secrets, templates, schedules, hooks at trackers,
 * triggers, arrivals and executions, and the background tasks for these in the gateway
 * (docs/contract/flows-and-triggers.md).
 *
 * Not here: rules and SQL (`@steward/flows`); the tests of the routes (`apps/api-gateway/src/surfaces/api/flows`),
 * because they run the whole gateway. Used by: api-gateway.
 */
export { executionSettings } from './background/execution-retention.ts';
export { createFlowsModule } from './module.ts';
export { createTriggerBudget } from './triggers/trigger-budget.ts';
