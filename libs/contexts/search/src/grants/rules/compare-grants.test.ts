import type { AccountScopeGrant } from '../account-scope-grant.ts';
import { findRepeatedSubject, listGrantChanges, listNewGrants } from './compare-grants.ts';

const key = (subjectId: string, isGranted = true): AccountScopeGrant => ({
  subjectType: 'api_key',
  subjectId,
  isGranted,
});
const agent = (subjectId: string, isGranted = true): AccountScopeGrant => ({
  subjectType: 'managed_agent',
  subjectId,
  isGranted,
});

describe('two lists of grants (SRCH-60)', () => {
  it('contain each subject once; a key and an agent with the same id are two subjects', () => {
    expect(findRepeatedSubject([key('a'), agent('a'), key('b')])).toBeUndefined();
    expect(findRepeatedSubject([key('a'), agent('a'), agent('b'), key('a', false), agent('b')])).toBe(3);
    expect(findRepeatedSubject([])).toBeUndefined();
  });

  it('differ by added, changed and removed grants', () => {
    const stored = [key('same'), key('turned'), agent('gone', false)];
    const next = [agent('new', false), key('turned', false), key('same')];
    expect(listGrantChanges(stored, next)).toEqual([
      { subjectType: 'managed_agent', subjectId: 'new', before: undefined, after: false },
      { subjectType: 'api_key', subjectId: 'turned', before: true, after: false },
      { subjectType: 'managed_agent', subjectId: 'gone', before: false, after: undefined },
    ]);
    expect(listGrantChanges(stored, stored)).toEqual([]);
    expect(listNewGrants(stored, next)).toEqual([agent('new', false)]);
  });
});
