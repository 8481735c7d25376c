/**
 * API of search: routes, schemas and presenters of the search of sessions, saved searches, grants, embedding and
 * backfill, with their background tasks in the gateway (docs/contract/search.md).
 *
 * Not here: rules and SQL (`@steward/search`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/search`). Used by: api-gateway.
 */
export { connectSearch, type SearchConnectionDeps } from './connect-search.ts';
export { createSearchModule } from './module.ts';
