import type { AnyDatabase } from '@steward/database';
import { findFirstGrant, type GrantSubjects } from '../store/account-scope-grant.store.ts';

/**
 * Whether an agent may search its whole account: the grant of its API key, otherwise of the managed agent, otherwise of
 * the account; the first explicit value applies, and without one it may not (SRCH-62).
 */
export async function findAccountScopeGrant(db: AnyDatabase, subjects: GrantSubjects): Promise<boolean> {
  return (await findFirstGrant(db, subjects)) ?? false;
}
