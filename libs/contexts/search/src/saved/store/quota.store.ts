import { sql } from 'kysely';
import { requireQuota, type AnyTransaction } from '@steward/database';

/** Maximum number of saved searches of an account, and of each user. */
export const MAX_SAVED_SEARCHES = 2000;
export const MAX_SAVED_SEARCHES_OF_ONE = 200;

/**
 * Checks the limits of the account and of the user; a limit per user keeps one user from using up the account's limit.
 * @throws quota_reached
 */
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
