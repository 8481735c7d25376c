import { AppError } from '@steward/contracts';
import { OutOfTimeError } from '@steward/database';

/**
 * For the failure of any part of a search: `search_timeout` if its time budget is exceeded; any other error stays
 * unchanged.
 */
export function rethrowTimeout(error: unknown): never {
  if (error instanceof OutOfTimeError) throw new AppError('search_timeout', { cause: error, retryAfterSeconds: 5 });
  throw error;
}
