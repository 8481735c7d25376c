/**
 * Backfill slice: how far the walk through each account's history has come, and what the corpus therefore covers.
 *
 * Not here: the walk's loop (backfill-sweeper), the chunks (search slice), the history (gateway slice).
 * Used by: backfill-sweeper, api-gateway (reads coverage for search answers).
 */
export { backfillMigrations } from '../migrations/index.ts';
export { readCoverage } from './operations/read-coverage.ts';
export type { Coverage } from './rules/describe-coverage.ts';
export type { PassStopReason, WatermarkTable } from './schema.ts';
export { findWatermark, readDatabaseTime, tryLockAccount, upsertWatermark } from './store/watermark.store.ts';
