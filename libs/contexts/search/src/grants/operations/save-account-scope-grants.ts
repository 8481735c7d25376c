import type { AnyTransaction } from '@steward/database';
import type { AccountScopeGrant, GrantChange } from '../account-scope-grant.ts';
import { findRepeatedSubject, listGrantChanges, listNewGrants } from '../rules/compare-grants.ts';
import {
  listAccountScopeGrants,
  lockAccountScopeGrants,
  replaceAccountScopeGrants,
} from '../store/account-scope-grant.store.ts';

export interface SaveGrantsInput {
  readonly accountId: string;
  /** The complete new list: grants that it does not contain are removed. */
  readonly grants: readonly AccountScopeGrant[];
  /**
   * Returns the first of the given grants whose subject is not in the account. It is called only with grants whose
   * subject has no stored grant.
   */
  readonly findUnknownSubject: (grants: readonly AccountScopeGrant[]) => Promise<AccountScopeGrant | undefined>;
}

export type SaveGrantsOutcome =
  | {
      readonly kind: 'saved';
      readonly grants: readonly AccountScopeGrant[];
      readonly changes: readonly GrantChange[];
    }
  | { readonly kind: 'repeated_subject' | 'unknown_subject'; readonly index: number };

/**
 * Replaces the whole list, or changes nothing (SRCH-60). A list can be sent back unchanged even if an API key in it has
 * been deleted.
 */
export async function saveAccountScopeGrants(
  trx: AnyTransaction,
  { accountId, grants, findUnknownSubject }: SaveGrantsInput,
): Promise<SaveGrantsOutcome> {
  const repeated = findRepeatedSubject(grants);
  if (repeated !== undefined) return { kind: 'repeated_subject', index: repeated };
  const stored = await lockAccountScopeGrants(trx, accountId);
  const unknown = await findUnknownSubject(listNewGrants(stored, grants));
  if (unknown !== undefined) return { kind: 'unknown_subject', index: grants.indexOf(unknown) };
  await replaceAccountScopeGrants(trx, accountId, grants);
  return {
    kind: 'saved',
    grants: await listAccountScopeGrants(trx, accountId),
    changes: listGrantChanges(stored, grants),
  };
}
