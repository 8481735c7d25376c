import { limitTime } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { Logger } from '@steward/process';

export interface GuardedCall {
  readonly accountId: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /**
   * Returns false for an error with which the whole search should fail, so that another server can serve it. By
   * default, no error makes the search fail.
   */
  readonly mayMiss?: ((error: unknown) => boolean) | undefined;
}

/**
 * Runs a part of the semantic half. If it fails or takes too long, the result lacks this part, but the search does not
 * fail.
 * @throws the signal's reason when the client disconnects, and errors for which `mayMiss` returns false
 */
export async function guardHalf<T>(
  logger: Logger,
  { accountId, requestId, signal, timeoutMs, mayMiss = () => true }: GuardedCall,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await limitTime(work(), timeoutMs, () => new AppError('search_timeout'));
  } catch (error) {
    signal.throwIfAborted();
    if (!mayMiss(error)) throw error;
    const outcome = error instanceof AppError ? error.code : 'internal';
    logger.error('search.semantic_failed', { request_id: requestId, account_id: accountId, outcome, error });
    return undefined;
  }
}
