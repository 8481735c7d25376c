/**
 * API of tool servers: routes, schemas and presenters for tool servers, their catalogs and their logins, and the
 * background tasks for these in the gateway (docs/contract/tool-servers.md).
 *
 * Not here: rules and SQL (`@steward/tool-servers`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/tool-servers`). Used by: api-gateway.
 */
export { createToolServersModule } from './module.ts';
