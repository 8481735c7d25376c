import { AppError } from '@steward/contracts';
import { OutOfTimeError } from '@steward/database';

/** For the failure of any part of a search: past its time budget it is `search_timeout`, anything else stays what it is. */
export function rethrowTimeout(error: unknown): never {
  if (error instanceof OutOfTimeError) throw new AppError('search_timeout', { cause: error, retryAfterSeconds: 5 });
  throw error;
}
