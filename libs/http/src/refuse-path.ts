import { AppError } from '@steward/contracts';

/** What every path gets that nothing stands at. */
export function refusePath(): Promise<never> {
  return Promise.reject(new AppError('not_found', { message: 'There is no such path.' }));
}
