import { limitTime } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { Logger } from '@steward/process';

export interface GuardedCall {
  readonly accountId: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * A part of the semantic half: what fails in it, or takes too long, is missing in the answer and never fails it.
 * @throws the signal's reason when the client is gone
 */
export async function guardHalf<T>(
  logger: Logger,
  { accountId, requestId, signal, timeoutMs }: GuardedCall,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await limitTime(work(), timeoutMs, () => new AppError('search_timeout'));
  } catch (error) {
    signal.throwIfAborted();
    const outcome = error instanceof AppError ? error.code : 'internal';
    logger.error('search.semantic_failed', { request_id: requestId, account_id: accountId, outcome, error });
    return undefined;
  }
}
