import { AppError } from '@steward/contracts';

/** Returns the error for work that waits for an unresponsive database. */
export function refuseBusy(): AppError {
  return new AppError('unavailable', { message: 'The database is not responding.', retryAfterSeconds: 2 });
}
