import { AppError } from '@steward/contracts';

/** What is left of a budget after a request was counted against it. */
export interface BudgetState {
  /** False when nothing was left: the request is refused and costs nothing. */
  readonly isGranted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the budget is whole again. */
  readonly resetSeconds: number;
  /** Until the next request would be granted; 0 when it would be now. */
  readonly retryAfterSeconds: number;
}

/** Counts one authenticated request of an account, whichever of its users, keys and agents sent it. */
export type SpendRequest = (accountId: string) => BudgetState;

/** The headers that tell a client its budget, as name, value, name, value. */
export function listBudgetHeaders({ limit, remaining, resetSeconds }: BudgetState): string[] {
  return [
    'RateLimit-Limit',
    String(limit),
    'RateLimit-Remaining',
    String(remaining),
    'RateLimit-Reset',
    String(resetSeconds),
  ];
}

/** @throws rate_limited when the request was not granted. */
export function requireGranted({ isGranted, limit, retryAfterSeconds }: BudgetState): void {
  if (isGranted) return;
  throw new AppError('rate_limited', {
    message: `The account exceeded ${limit} requests per minute. Try again in ${retryAfterSeconds} s.`,
    detail: { limit },
    retryAfterSeconds,
  });
}
