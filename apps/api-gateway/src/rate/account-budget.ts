import type { SpendRequest } from '@steward/http';
import { createTokenBuckets } from '@steward/api';

/**
 * Maximum number of accounts in memory, about 1 MB. The account that is evicted has been idle the longest, so its
 * budget is full again.
 */
const MAX_ACCOUNTS = 10_000;

/**
 * Creates the request budgets of the accounts in this process. They limit the number of requests of one tenant; size
 * limits bound the cost of each request.
 */
export function createAccountBudget(
  options: { readonly perMinute: number },
  nowMs: () => number = () => performance.now(),
): SpendRequest {
  const buckets = createTokenBuckets({ perMinute: options.perMinute, maxKeys: MAX_ACCOUNTS, nowMs });
  return (accountId) => {
    const retryAfterSeconds = buckets.secondsUntilToken(accountId);
    buckets.take(accountId);
    const { tokens, secondsUntilFull } = buckets.read(accountId);
    return {
      isGranted: retryAfterSeconds === 0,
      limit: options.perMinute,
      remaining: tokens,
      resetSeconds: secondsUntilFull,
      retryAfterSeconds,
    };
  };
}
