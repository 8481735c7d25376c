/**
 * API of trackers: routes, schemas and presenters of connections to trackers, and what runs for them in the
 * gateway (docs/contract/trackers.md).
 *
 * Not here: rules and SQL (`@steward/trackers`), what other APIs answer, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/trackers`).
 * Used by: api-gateway.
 */
export { createTrackersModule } from './module.ts';
