/**
 * API of approvals: routes, schemas and presenters of approval workflows and requests, votes by link, and the models that are asked first, and what runs for them in the
 * gateway (docs/contract/approvals.md).
 *
 * Not here: rules and SQL (`@steward/approvals`), what other APIs answer, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/approvals`).
 * Used by: api-gateway.
 */
export { createApprovalsModule } from './module.ts';
