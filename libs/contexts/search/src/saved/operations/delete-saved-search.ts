import type { AnyTransaction } from '@steward/database';
import { deleteSavedSearch as remove, lockSavedSearch, type SavedSearchKey } from '../store/saved-search.store.ts';

/**
 * Deletes a saved search. The owner may delete it; users who manage the account's users may also delete a shared
 * search, since its owner may have left.
 */
export async function deleteSavedSearch(
  trx: AnyTransaction,
  key: SavedSearchKey & { readonly mayDeleteShared: boolean },
): Promise<{ readonly kind: 'deleted' | 'not_found' | 'not_owner' }> {
  const stored = await lockSavedSearch(trx, key);
  if (stored === undefined) return { kind: 'not_found' };
  if (stored.ownerId !== key.viewerId && !key.mayDeleteShared) return { kind: 'not_owner' };
  await remove(trx, key);
  return { kind: 'deleted' };
}
