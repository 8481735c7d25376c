import { newId } from '@steward/crypto';
import { isUniqueViolation, type AnyTransaction } from '@steward/database';
import type { SearchService } from '../../answer/operations/create-search-service.ts';
import { readSavedFields } from '../rules/read-saved-fields.ts';
import type { SavedSearch, SavedSearchFields } from '../saved-search.ts';
import { requireSavedSearchQuota } from '../store/quota.store.ts';
import { insertSavedSearch } from '../store/saved-search.store.ts';

export type SaveSearchOutcome =
  { readonly kind: 'saved'; readonly search: SavedSearch } | { readonly kind: 'name_taken' };

/** Saves a search under a name. @throws invalid_request, quota_reached */
export async function createSavedSearch(
  trx: AnyTransaction,
  input: {
    readonly accountId: string;
    readonly ownerId: string;
    readonly fields: SavedSearchFields;
    readonly now: Date;
  },
  service: Pick<SearchService, 'describeRanking'>,
): Promise<SaveSearchOutcome> {
  const { accountId, ownerId, now: createdAt } = input;
  const fields = { ...input.fields, ...readSavedFields(input.fields, accountId) };
  await requireSavedSearchQuota(trx, { accountId, ownerId });
  const rankingIdentity = await service.describeRanking({ accountId, mode: fields.mode });
  return refuseTakenName(() =>
    insertSavedSearch(trx, { ...fields, id: newId(), accountId, ownerId, rankingIdentity, createdAt }),
  );
}

/**
 * Stores a search, and returns `name_taken` if the owner already has one with this name. A duplicate name aborts the
 * transaction.
 */
export async function refuseTakenName(write: () => Promise<SavedSearch>): Promise<SaveSearchOutcome> {
  try {
    return { kind: 'saved', search: await write() };
  } catch (error) {
    if (isUniqueViolation(error, 'saved_search_name_key')) return { kind: 'name_taken' };
    throw error;
  }
}
