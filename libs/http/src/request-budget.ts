import type { ServerResponse } from 'node:http';
import { AppError, type Principal } from '@steward/contracts';

/** State of a budget after a request was checked against it. */
export interface BudgetState {
  /** False if no budget was left; the request is then refused and not counted. */
  readonly isGranted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the budget is full again. */
  readonly resetSeconds: number;
  /** Seconds until the next request would be granted; 0 if it would be granted now. */
  readonly retryAfterSeconds: number;
  /** Owner of the budget, for the error message. Default: the account. */
  readonly owner?: string;
}

/**
 * Counts one authenticated request of an account, by any of its users, keys and agents. A portal link has a budget of
 * its own, so that its holder cannot use up the budget of the account (LIM-105).
 */
export type SpendRequest = (caller: Pick<Principal, 'accountId' | 'apiKeyId' | 'portal'>) => BudgetState;

/** Sets the headers that report the budget to the client, on any response. */
export function setBudgetHeaders(response: ServerResponse, { limit, remaining, resetSeconds }: BudgetState): void {
  response.setHeader('RateLimit-Limit', String(limit));
  response.setHeader('RateLimit-Remaining', String(remaining));
  response.setHeader('RateLimit-Reset', String(resetSeconds));
}

/**
 * Refuses a request that was not granted.
 * @throws rate_limited
 */
export function requireGranted({ isGranted, limit, retryAfterSeconds, owner = 'account' }: BudgetState): void {
  if (isGranted) return;
  throw new AppError('rate_limited', {
    message: `The ${owner} exceeded ${limit} requests per minute. Try again in ${retryAfterSeconds} s.`,
    detail: { limit },
    retryAfterSeconds,
  });
}
