import type { AccountScopeGrant, GrantChange } from '../account-scope-grant.ts';

/** Returns the index of the first grant with the same subject as an earlier one; undefined if there is none. */
export function findRepeatedSubject(grants: readonly AccountScopeGrant[]): number | undefined {
  const seen = new Set<string>();
  const index = grants.findIndex((grant) => seen.size === seen.add(nameSubject(grant)).size);
  return index === -1 ? undefined : index;
}

/** Returns grants whose subject has no stored grant. */
export function listNewGrants(
  stored: readonly AccountScopeGrant[],
  next: readonly AccountScopeGrant[],
): AccountScopeGrant[] {
  const known = new Set(stored.map(nameSubject));
  return next.filter((grant) => !known.has(nameSubject(grant)));
}

/**
 * Returns the differences between the stored and the next list: first the new and changed grants, in the order of the
 * next list, then the removed grants.
 */
export function listGrantChanges(
  stored: readonly AccountScopeGrant[],
  next: readonly AccountScopeGrant[],
): GrantChange[] {
  const former = new Map(stored.map((grant) => [nameSubject(grant), grant]));
  const kept = new Set(next.map(nameSubject));
  const describe = (
    grant: AccountScopeGrant,
    before: boolean | undefined,
    after: boolean | undefined,
  ): GrantChange => ({
    subjectType: grant.subjectType,
    subjectId: grant.subjectId,
    before,
    after,
  });
  return [
    ...next.map((grant) => describe(grant, former.get(nameSubject(grant))?.isGranted, grant.isGranted)),
    ...stored
      .filter((grant) => !kept.has(nameSubject(grant)))
      .map((grant) => describe(grant, grant.isGranted, undefined)),
  ].filter(({ before, after }) => before !== after);
}

function nameSubject({ subjectType, subjectId }: AccountScopeGrant): string {
  return `${subjectType} ${subjectId}`;
}
