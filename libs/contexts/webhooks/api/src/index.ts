/**
 * API of webhooks: routes, schemas and presenters of event webhooks, their deliveries and replay, and what runs for them in the
 * gateway (docs/contract/event-webhooks.md).
 *
 * Not here: rules and SQL (`@steward/webhooks`), what other APIs answer, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/webhooks`).
 * Used by: api-gateway.
 */
export { createWebhooksModule } from './module.ts';
