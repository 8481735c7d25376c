import type { AnyTransaction } from '@steward/database';
import type { SearchService } from '../../answer/operations/create-search-service.ts';
import { readSavedFields } from '../rules/read-saved-fields.ts';
import type { SavedSearchPatch } from '../saved-search.ts';
import { lockSavedSearch, updateSavedSearch as update, type SavedSearchKey } from '../store/saved-search.store.ts';
import { refuseTakenName, type SaveSearchOutcome } from './create-saved-search.ts';

/**
 * Changes a saved search of the caller; fields of the patch that are undefined are not changed. Also stores the
 * identity of the current ranking: the user saw the results of this ranking when saving.
 * @throws invalid_request
 */
export async function updateSavedSearch(
  trx: AnyTransaction,
  input: SavedSearchKey & { readonly patch: SavedSearchPatch; readonly now: Date },
  service: Pick<SearchService, 'describeRanking'>,
): Promise<SaveSearchOutcome | { readonly kind: 'not_found' | 'not_owner' }> {
  const { accountId, viewerId, id, now } = input;
  const stored = await lockSavedSearch(trx, input);
  if (stored === undefined) return { kind: 'not_found' };
  if (stored.ownerId !== viewerId) return { kind: 'not_owner' };
  const fields = { ...stored, ...readSavedFields(input.patch, accountId) };
  const rankingIdentity = await service.describeRanking({ accountId, mode: fields.mode });
  return refuseTakenName(() => update(trx, { ...fields, accountId, id, rankingIdentity, now }));
}
