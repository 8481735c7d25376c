import { AppError } from '@steward/contracts';
import type { SearchDeps } from '../search-deps.ts';

/** What saved searches are served from. */
export type SavedDeps = Pick<SearchDeps, 'db' | 'clock' | 'settings' | 'search'>;

/** The error of a change that was not made. */
export function refuseChange(kind: 'not_found' | 'not_owner' | 'name_taken'): AppError {
  if (kind === 'not_found') return new AppError('not_found');
  if (kind === 'name_taken') {
    const message = 'You have a saved search with this name already.';
    return new AppError('conflict', { message, detail: { field: 'name' } });
  }
  return new AppError('permission_denied', {
    message: 'Only its owner changes a saved search. Who has manage_users may delete one that is shared.',
  });
}
