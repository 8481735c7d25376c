import type { AnyDatabase } from '@steward/database';
import { findFirstGrant, type GrantSubjects } from '../store/account-scope-grant.store.ts';

/**
 * Returns whether an agent may search its whole account. The first explicit value applies, in the order: grant of its
 * API key, of the managed agent, of the account. Without an explicit value, the agent may not search its account
 * (SRCH-62).
 */
export async function findAccountScopeGrant(db: AnyDatabase, subjects: GrantSubjects): Promise<boolean> {
  return (await findFirstGrant(db, subjects)) ?? false;
}
