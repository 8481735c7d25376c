/**
 * API of webhooks: routes, schemas and presenters of event webhooks, their deliveries and replay, with their background
 * tasks in the gateway (docs/contract/event-webhooks.md).
 *
 * Not here: rules and SQL (`@steward/webhooks`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/webhooks`). Used by: api-gateway.
 */
export { createWebhooksModule } from './module.ts';
