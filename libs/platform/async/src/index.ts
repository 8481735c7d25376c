/**
 * Async: helpers for asynchronous work, such as time limits, waits that a signal aborts, retries, interruptible sleep,
 * group commits, shared reads, limits on concurrency, fair shares of time, and work in portions per turn of the event
 * loop; and the clock that is passed to rules.
 *
 * Not here: starting and stopping components (process), retries that are stored (webhooks, flows). For maps of limited
 * size, `lru-cache` is used. Used by: apps, contexts and other libraries.
 */
export { createBatchQueue, type BatchQueue, type BatchQueueOptions } from './batch-queue.ts';
export { systemClock, type Clock } from './clock.ts';
export { createFairShare, type FairShare } from './fair-share.ts';
export { retry, type RetryOptions } from './retry.ts';
export { mapInSlices } from './map-in-slices.ts';
export { createFreshReads, type FreshReads } from './fresh-reads.ts';
export { createGatheredReads, type GatheredReads, type GatheredReadsOptions } from './gathered-reads.ts';
export { createSleeper, type Sleeper } from './sleeper.ts';
export { endsWithin, limitTime } from './time-limit.ts';
export { createTurnBudget, type TurnBudget } from './turn-budget.ts';
export { createTurns, type Turns } from './turns.ts';
export { untilAborted } from './until-aborted.ts';
export { createFairThread } from './fair-thread/fair-thread.ts';
