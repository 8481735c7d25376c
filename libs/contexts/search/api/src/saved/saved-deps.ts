import { AppError } from '@steward/contracts';
import type { SearchDeps } from '../search-deps.ts';

/** Dependencies of the saved search routes. */
export type SavedDeps = Pick<SearchDeps, 'db' | 'clock' | 'settings' | 'search'>;

/** Returns the error for a change that was refused. */
export function refuseChange(kind: 'not_found' | 'not_owner' | 'name_taken'): AppError {
  if (kind === 'not_found') return new AppError('not_found');
  if (kind === 'name_taken') {
    const message = 'You already have a saved search with this name.';
    return new AppError('conflict', { message, detail: { field: 'name' } });
  }
  return new AppError('permission_denied', {
    message: 'Only its owner can change a saved search. With manage_users, you can delete a shared saved search.',
  });
}
