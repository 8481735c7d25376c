/**
 * API of audit: routes, schemas and presenters of the audit log, and what runs for them in the
 * gateway (docs/contract/accounts-and-access.md).
 *
 * Not here: rules and SQL (`@steward/audit`), what other APIs answer, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/audit`).
 * Used by: api-gateway.
 */
export { auditSettings } from './audit-settings.ts';
export { createAuditModule } from './module.ts';
