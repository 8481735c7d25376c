import { createFairShare, type FairShare } from '@steward/async';
import { AppError } from '@steward/contracts';

/**
 * Share of a process's time for the conditions of one account. Even if this account has the most expensive conditions
 * allowed (POL-20), three quarters of the time remain for other accounts.
 */
const SHARE = 0.25;
const BURST_MS = 50;
const MAX_WAITING = 100;

/** Creates the limit on the part of a process's time that the conditions of each account may use (LIM-64). */
export function createConditionTime(): FairShare {
  return createFairShare({
    share: SHARE,
    burstMs: BURST_MS,
    maxWaiting: MAX_WAITING,
    onFull: () =>
      new AppError('rate_limited', {
        message: 'The conditions of the policy take too long for this number of simultaneous calls.',
        retryAfterSeconds: 5,
      }),
  });
}
