/**
 * API of audit: routes, schemas and presenters for the audit log, and its background tasks in the gateway
 * (docs/contract/accounts-and-access.md).
 *
 * Not here: rules and SQL (`@steward/audit`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/audit`). Used by: api-gateway.
 */
export { listAuditExportSecrets } from './audit-export-settings.ts';
export { auditSettings } from './audit-settings.ts';
export { createAuditModule } from './module.ts';
