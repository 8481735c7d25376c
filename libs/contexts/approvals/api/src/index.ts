/**
 * API of approvals: routes, schemas and presenters for approval workflows, approval requests, votes by link and AI
 * reviews, and the background tasks for these in the gateway (docs/contract/approvals.md).
 *
 * Not here: rules and SQL (`@steward/approvals`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/approvals`). Used by: api-gateway.
 */
export { createApprovalsModule } from './module.ts';
