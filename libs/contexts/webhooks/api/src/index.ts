/**
 * API of webhooks: routes, schemas and presenters for event webhooks, deliveries, replay, listeners, portal links and
 * notices, and the background tasks for these in the gateway (docs/contract/event-webhooks.md,
 * docs/contract/notices.md).
 *
 * Not here: rules and SQL (`@steward/webhooks`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/webhooks`). Used by: api-gateway.
 */
export { createWebhooksModule } from './module.ts';
