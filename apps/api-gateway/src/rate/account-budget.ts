import type { SpendRequest } from '@steward/http';
import { createTokenBuckets } from './token-buckets.ts';

/** About 1 MB at the most. An account forgotten has had no request for longer than any other, and a full budget again. */
const MAX_ACCOUNTS = 10_000;

/** What an account may ask of this process. It bounds what one tenant takes from the others; what a request costs is bounded by its size. */
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
