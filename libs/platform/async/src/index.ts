/**
 * Async: work that waits, once each: a time limit, a wait that a signal ends, a retry, a sleep that can be ended, a group commit,
 * reads that are shared, work in portions of a turn of the event loop; and the clock that rules are given.
 *
 * Not here: starting and stopping components (process), retries that are stored (webhooks, flows), who may have how many
 * places (each limit says so itself). Maps with an upper bound are `lru-cache`.
 * Used by: apps, slices and platform libs.
 */
export { createBatchQueue, type BatchQueue, type BatchQueueOptions } from './batch-queue.ts';
export { systemClock, type Clock } from './clock.ts';
export { createFairShare, type FairShare } from './fair-share.ts';
export { retry, type RetryOptions } from './retry.ts';
export { createFreshReads, type FreshReads } from './fresh-reads.ts';
export { createSleeper, type Sleeper } from './sleeper.ts';
export { endsWithin, limitTime } from './time-limit.ts';
export { createTurnBudget, type TurnBudget } from './turn-budget.ts';
export { createTurns, type Turns } from './turns.ts';
export { untilAborted } from './until-aborted.ts';
