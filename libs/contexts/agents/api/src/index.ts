/**
 * API of agents: routes, schemas and presenters for the hook of coding agents (permission checks, notes), the registry
 * of agents, enrollments and discovery, and the background tasks for these in the gateway (docs/contract/agents.md).
 *
 * Not here: rules and SQL (`@steward/agents`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/agents`). Used by: api-gateway.
 */
export { createAgentsModule } from './module.ts';
export { requireServerName } from './read-own-tool.ts';
