import { limitTime } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { Logger } from '@steward/process';

export interface GuardedCall {
  readonly accountId: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** False for an error that fails the search, since another server may answer it; by default none does. */
  readonly mayMiss?: ((error: unknown) => boolean) | undefined;
}

/**
 * Runs a part of the semantic half: if it fails or takes too long, it is missing in the result, but does not fail the
 * search.
 * @throws the signal's reason when the client disconnects, and errors that `mayMiss` names
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
