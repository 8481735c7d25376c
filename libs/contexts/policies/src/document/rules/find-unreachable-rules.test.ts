import { findUnreachableRules, MAX_COMPARISONS } from './find-unreachable-rules.ts';
import type { PolicyRule } from './policy-document.ts';

const rule = (id: string, tools: string[], names: string[] = []): PolicyRule => ({
  id,
  action: 'deny',
  match: { tools, agents: names },
});
const many = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('rules that are never reached', () => {
  it('are those whose tools and callers are all matched by earlier rules', () => {
    const rules = [
      rule('wide', ['db/*', 'x/y'], ['a', 'b']),
      rule('taken', ['db/drop', 'x/y'], ['b']),
      rule('other caller', ['db/drop'], ['c']),
      rule('anybody', ['db/drop']),
      rule('any tool', [], ['a']),
    ];
    const { unreachable, notJudgedFrom } = findUnreachableRules(rules);
    expect(unreachable).toEqual([{ index: 1, coveredBy: 'wide' }]);
    expect(notJudgedFrom).toBeUndefined();
  });

  it.each<[string, PolicyRule[]]>([
    ['tools', many(300, 'r').map((id) => rule(id, [...many(99, 'server/tool'), `${id}/own`]))],
    ['names', many(900, 'r').map((id) => rule(id, [], [...many(99, 'name'), id]))],
    ['a pattern that none covers', many(900, 'r').map((id) => rule(id, [...many(99, `${id}/t`), '*/z']))],
  ])('are searched in wide lists of %s up to the work limit', (_what, rules) => {
    const { comparisons, notJudgedFrom } = findUnreachableRules(rules);
    // The comparison of one pair of rules may exceed the limit, but no further pair is compared.
    expect(comparisons).toBeLessThanOrEqual(MAX_COMPARISONS + 11_000);
    expect(notJudgedFrom).toBeGreaterThan(0);
  });
});
