import { diffDocuments } from './diff-documents.ts';
import type { PolicyDocument, PolicyRule } from './policy-document.ts';

const rule = (id: string, fields: Partial<PolicyRule> = {}): PolicyRule => ({ id, action: 'deny', ...fields });
const doc = (rules: PolicyRule[], more: Partial<PolicyDocument> = {}): PolicyDocument => ({
  version: '1',
  rules,
  ...more,
});

describe('the difference between two documents', () => {
  it('is empty if they are equivalent', () => {
    expect(diffDocuments(doc([rule('a')]), doc([rule('a')], { defaults: { action: 'allow' } }))).toEqual([]);
  });

  it('identifies rules by their ids', () => {
    const before = doc([rule('a'), rule('b', { description: 'old' })]);
    const after = doc([rule('b', { description: 'new' }), rule('c')], { defaults: { action: 'deny' } });
    expect(diffDocuments(before, after)).toEqual([
      { kind: 'removed', path: 'rules/a', before: rule('a'), after: null },
      { kind: 'changed', path: 'rules/b/description', before: 'old', after: 'new' },
      { kind: 'added', path: 'rules/c', before: null, after: rule('c') },
      { kind: 'changed', path: 'defaults/action', before: 'allow', after: 'deny' },
    ]);
  });

  it('names only the rule that moved', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => rule(id)) as [PolicyRule, PolicyRule, PolicyRule, PolicyRule];
    expect(diffDocuments(doc([a, b, c, d]), doc([d, a, b, c]))).toEqual([
      { kind: 'moved', path: 'rules/d', before: 3, after: 0 },
    ]);
    expect(diffDocuments(doc([a, b, c]), doc([rule('x'), a, b, c])).map(({ kind }) => kind)).toEqual(['added']);
  });
});
