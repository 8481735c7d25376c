import { AppError } from '@steward/contracts';

/** Returns the value, if it was found. @throws not_found, which is also the response for resources of other accounts */
export function requireFound<T>(found: T | undefined): T {
  if (found === undefined) throw new AppError('not_found');
  return found;
}
