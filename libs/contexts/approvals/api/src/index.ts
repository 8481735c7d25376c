/**
 * API of approvals: routes, schemas and presenters of approval workflows and requests, votes by link, and AI reviews,
 * with their background tasks in the gateway (docs/contract/approvals.md).
 *
 * Not here: rules and SQL (`@steward/approvals`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/approvals`). Used by: api-gateway.
 */
export { createApprovalsModule } from './module.ts';
