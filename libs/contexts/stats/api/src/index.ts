/**
 * Stats over HTTP: one route for each series, and the tasks that sum up. Used by: api-gateway.
 */
export { createStatsModule } from './module.ts';
