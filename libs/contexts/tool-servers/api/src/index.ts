/**
 * API of tool servers: routes, schemas and presenters of tool servers, their catalogue and logins, and what runs for them in the
 * gateway (docs/contract/tool-servers.md).
 *
 * Not here: rules and SQL (`@steward/tool-servers`), what other APIs answer, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/tool-servers`).
 * Used by: api-gateway.
 */
export { createToolServersModule } from './module.ts';
