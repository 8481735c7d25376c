import { isUuid } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { findLiveKeyIds } from '@steward/identity';
import type { AccountScopeGrant } from '@steward/search';

/**
 * Returns the first grant whose subject is unknown: an API key that does not exist in the account or is revoked, or
 * another account. Agents are not checked: a grant contains the id of an agent as stated in an API key, and such an
 * agent need not be registered.
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
