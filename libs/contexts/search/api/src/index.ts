/**
 * API of search: the connections that searches use, and routes, schemas and presenters for the search of sessions,
 * similar sessions, credential sightings, saved searches, grants, embedding and backfill (docs/contract/search.md).
 *
 * Not here: rules and SQL (`@steward/search`); the tests of these routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/search`). Used by: api-gateway.
 */
export { connectSearch, type SearchConnectionDeps } from './connect-search.ts';
export { createSearchModule } from './module.ts';
