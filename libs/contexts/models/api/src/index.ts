/**
 * API of models: routes, schemas and presenters for AI models, their prices and their usage, and the background tasks
 * for these in the gateway (docs/contract/models.md).
 *
 * Not here: rules and SQL (`@steward/models`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/models`). Used by: api-gateway.
 */
export { createModelsModule } from './module.ts';
export { createUsageModule } from './usage/module.ts';
export { usageSettings } from './usage/usage-settings.ts';
