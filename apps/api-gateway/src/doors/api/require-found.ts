import { AppError } from '@steward/contracts';

/** What was looked for. @throws not_found, which is also the answer for what another account has */
export function requireFound<T>(found: T | undefined): T {
  if (found === undefined) throw new AppError('not_found');
  return found;
}
