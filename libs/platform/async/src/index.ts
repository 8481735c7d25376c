/**
 * Async: work that waits, once each: a time limit, a retry, a sleep that can be ended, a group commit,
 * reads that are shared; and the clock that
 * rules are given.
 *
 * Not here: starting and stopping components (process), retries that are stored (webhooks, flows), who may have how many
 * places (each limit says so itself). Maps with an upper bound are `lru-cache`.
 * Used by: apps, slices and platform libs.
 */
export { createBatchQueue } from './batch-queue.ts';
export type { BatchQueue, BatchQueueOptions } from './batch-queue.ts';
export { systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { createFairShare } from './fair-share.ts';
export type { FairShare } from './fair-share.ts';
export { retry } from './retry.ts';
export type { RetryOptions } from './retry.ts';
export { createFreshReads } from './fresh-reads.ts';
export type { FreshReads } from './fresh-reads.ts';
export { createSleeper } from './sleeper.ts';
export type { Sleeper } from './sleeper.ts';
export { endsWithin, limitTime } from './time-limit.ts';
export { createTurns } from './turns.ts';
export type { Turns } from './turns.ts';
