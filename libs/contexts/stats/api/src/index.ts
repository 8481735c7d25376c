/**
 * API of statistics: one route for each series, and the background tasks that aggregate facts and delete old sums. Used
 * by: api-gateway.
 */
export { createStatsModule } from './module.ts';
