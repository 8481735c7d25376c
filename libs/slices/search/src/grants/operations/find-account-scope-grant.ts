import type { AnyDatabase } from '@steward/database';
import { findFirstGrant, type GrantSubjects } from '../store/account-scope-grant.store.ts';

/**
 * Whether an agent may search its whole account: what its API key was given, else the managed agent, else the account; the
 * first explicit value wins, and without one it may not (SRCH-62).
 */
export async function findAccountScopeGrant(db: AnyDatabase, subjects: GrantSubjects): Promise<boolean> {
  return (await findFirstGrant(db, subjects)) ?? false;
}
