/**
 * API of trackers: routes, schemas and presenters for connections to trackers (docs/contract/trackers.md).
 *
 * Not here: rules and SQL (`@steward/trackers`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/trackers`). Used by: api-gateway.
 */
export { createTrackersModule } from './module.ts';
