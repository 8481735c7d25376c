import { sql } from 'kysely';
import { requireQuota, type AnyTransaction } from '@steward/database';

/** Limits of the account, and of each user. */
export const MAX_SAVED_SEARCHES = 2000;
export const MAX_SAVED_SEARCHES_OF_ONE = 200;

/** One user cannot use up the limit of the account. @throws quota_reached */
export async function requireSavedSearchQuota(
  trx: AnyTransaction,
  { accountId, ownerId }: { readonly accountId: string; readonly ownerId: string },
): Promise<void> {
  const all = sql`select 1 from search.saved_search where account_id = ${accountId}`;
  await requireQuota(trx, { accountId, what: 'saved searches', limit: MAX_SAVED_SEARCHES, rows: all });
  const own = sql`${all} and owner_id = ${ownerId}`;
  await requireQuota(trx, {
    accountId,
    what: 'saved searches of one user',
    limit: MAX_SAVED_SEARCHES_OF_ONE,
    rows: own,
  });
}
