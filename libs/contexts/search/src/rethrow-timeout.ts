import { AppError } from '@steward/contracts';
import { OutOfTimeError } from '@steward/database';

/**
 * Throws `search_timeout` if the error states that the time budget of a search was exceeded; otherwise throws the error
 * unchanged.
 */
export function rethrowTimeout(error: unknown): never {
  if (error instanceof OutOfTimeError) throw new AppError('search_timeout', { cause: error, retryAfterSeconds: 5 });
  throw error;
}
