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
  /** All that shall count from now on: what is not among them is taken away. */
  readonly grants: readonly AccountScopeGrant[];
  /** The first of these whose subject the account does not have; asked about subjects without a grant so far. */
  readonly findUnknownSubject: (grants: readonly AccountScopeGrant[]) => Promise<AccountScopeGrant | undefined>;
}

export type SaveGrantsOutcome =
  | {
      readonly kind: 'saved';
      readonly grants: readonly AccountScopeGrant[];
      readonly changes: readonly GrantChange[];
    }
  | { readonly kind: 'repeated_subject' | 'unknown_subject'; readonly index: number };

/** Replaces the list, all of it or nothing (SRCH-60). A list can be sent back as it was read, also when one of its keys went. */
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
