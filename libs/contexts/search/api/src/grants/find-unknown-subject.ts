import { isUuid } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { findLiveKeyIds } from '@steward/identity';
import type { AccountScopeGrant } from '@steward/search';

/**
 * Returns the first grant for an API key that does not exist in the account. Agents cannot be checked: they are known
 * only from keys, since there is no list of them yet.
 */
export async function findUnknownSubject(
  db: AnyDatabase,
  accountId: string,
  grants: readonly AccountScopeGrant[],
): Promise<AccountScopeGrant | undefined> {
  const ids = grants.filter(({ subjectType }) => subjectType === 'api_key').map(({ subjectId }) => subjectId);
  const keys = await findLiveKeyIds(db, { accountId, ids: ids.filter(isUuid) });
  return grants.find(({ subjectType, subjectId }) => {
    if (subjectType === 'account') return subjectId !== accountId;
    return subjectType === 'api_key' && !keys.has(subjectId);
  });
}
