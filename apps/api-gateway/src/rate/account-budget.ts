import type { BudgetState, SpendRequest } from '@steward/http';
import { createTokenBuckets } from '@steward/api';

/**
 * Maximum number of accounts, and of portal links, in memory; 10,000 budgets take about 1 MB. The budget that is
 * evicted has been idle the longest, so it is practically always full again.
 */
const MAX_ACCOUNTS = 10_000;

/** See LIM-105. */
const PORTAL_LINK_PER_MINUTE = 120;

/**
 * Creates the request budgets of the accounts in this process, and of each of their portal links. They limit the number
 * of requests of one tenant; size limits bound the cost of each request.
 */
export function createAccountBudget(
  options: { readonly perMinute: number },
  nowMs: () => number = () => performance.now(),
): SpendRequest {
  const spendOfAccount = createBudgets(options.perMinute, nowMs);
  const spendOfLink = createBudgets(Math.min(PORTAL_LINK_PER_MINUTE, options.perMinute), nowMs);
  return ({ accountId, apiKeyId, portal }) =>
    portal === undefined || apiKeyId === undefined
      ? spendOfAccount(accountId)
      : { ...spendOfLink(apiKeyId), owner: 'portal link' };
}

function createBudgets(perMinute: number, nowMs: () => number): (key: string) => BudgetState {
  const buckets = createTokenBuckets({ perMinute, maxKeys: MAX_ACCOUNTS, nowMs });
  return (key) => {
    const retryAfterSeconds = buckets.secondsUntilToken(key);
    buckets.take(key);
    const { tokens, secondsUntilFull } = buckets.read(key);
    return {
      isGranted: retryAfterSeconds === 0,
      limit: perMinute,
      remaining: tokens,
      resetSeconds: secondsUntilFull,
      retryAfterSeconds,
    };
  };
}
