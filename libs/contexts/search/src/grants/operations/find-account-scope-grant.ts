import type { AnyDatabase } from '@steward/database';
import { findFirstGrant, type GrantSubjects } from '../store/account-scope-grant.store.ts';

/**
 * Returns whether an agent may search its whole account: according to the grant of its API key, or else of the managed
 * agent, or else of the account. The first explicit value applies; without one, the agent may not search its account
 * (SRCH-62).
 */
export async function findAccountScopeGrant(db: AnyDatabase, subjects: GrantSubjects): Promise<boolean> {
  return (await findFirstGrant(db, subjects)) ?? false;
}
