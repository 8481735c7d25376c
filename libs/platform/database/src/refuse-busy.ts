import { AppError } from '@steward/contracts';

/** What waits for a database that does not answer is refused with. */
export function refuseBusy(): AppError {
  return new AppError('unavailable', { message: 'The database is not responding.', retryAfterSeconds: 2 });
}
