import { AppError } from '@steward/contracts';
import { OutOfTimeError } from '@steward/database';

/**
 * Throws the error of a search whose part failed: `search_timeout` if its time budget is exceeded; any other error is
 * not changed.
 */
export function rethrowTimeout(error: unknown): never {
  if (error instanceof OutOfTimeError) throw new AppError('search_timeout', { cause: error, retryAfterSeconds: 5 });
  throw error;
}
