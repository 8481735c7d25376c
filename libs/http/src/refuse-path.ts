import { AppError } from '@steward/contracts';

/** Response for every unknown path. */
export function refusePath(): Promise<never> {
  return Promise.reject(new AppError('not_found', { message: 'There is no such path.' }));
}
