import type { SpendRequest } from '@steward/http';
import { createTokenBuckets } from '@steward/api';

/** About 1 MB at most. The account that is evicted has been idle the longest, so its budget is full again. */
const MAX_ACCOUNTS = 10_000;

/**
 * Request budget of an account in this process. It limits the number of requests of one tenant; size limits bound the
 * cost of each request.
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
