import { AppError, type CallLimit } from '@steward/contracts';

export interface ReachedLimit {
  readonly limit: CallLimit;
  readonly reason: string;
  readonly resetsAt: Date;
  readonly now: Date;
}

/** Returns the error for a call that would exceed a limit of its API key. */
export function refuseLimited({ limit, reason, resetsAt, now }: ReachedLimit): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000));
  return new AppError('key_limit_reached', {
    message: reason,
    detail: { limit, resets_at: resetsAt },
    retryAfterSeconds,
  });
}
