/**
 * API of flows: routes, schemas and presenters of flows, their secrets, templates, schedules and hooks at trackers,
 * triggers and executions, with their background tasks in the gateway (docs/contract/flows-and-triggers.md).
 *
 * Not here: rules and SQL (`@steward/flows`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/flows`). Used by: api-gateway.
 */
export { executionSettings } from './background/execution-retention.ts';
export { createFlowsModule } from './module.ts';
export { createTriggerBudget } from './triggers/trigger-budget.ts';
