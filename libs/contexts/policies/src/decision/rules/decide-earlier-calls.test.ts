import type { PolicyRule } from '../../document/rules/policy-document.ts';
import { compilePolicy } from './compile-policy.ts';
import { decide } from './decide.ts';
import type { ToolCallFacts } from './decision.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const rule = (fields: Partial<PolicyRule> & Pick<PolicyRule, 'action'>): PolicyRule => ({
  id: 'r',
  description: 'words',
  ...fields,
});
const compile = (rules: PolicyRule[]) => compilePolicy({ version: '1', rules }, 7);
const decided = (rules: PolicyRule[], facts: Partial<ToolCallFacts>) =>
  decide(compile(rules), { tool: { server: 'shell', name: 'exec' }, args: {}, now: NOW, ...facts });

describe('earlier calls in conditions (POL-33)', () => {
  const history = [
    { server: 'local', name: 'WebFetch', ageSeconds: 5, isEqual: false },
    { server: 'github', name: 'a/b c', ageSeconds: 50, isEqual: true },
    { server: 'github', name: 'get', ageSeconds: 500, isEqual: true },
  ];

  it.each([
    ['session.count == 3', true],
    ['session.count > 2.5', true],
    ['session.repeats == 2', true],
    [`session.calls('github/*') == 2`, true],
    [`session.calls('github/*', 60) == 1`, true],
    [`session.calls('github/a/b c') == 1`, true],
    [`session.calls('WebFetch') == 1 && session.calls('*', 10) == 1`, true],
    [`session.calls('gitlab/*') > 0`, false],
    [`session['count'] == 3`, true],
    [`session.id == ''`, true],
  ])('are counted: %s', (condition, expected) => {
    const found = decided([rule({ action: 'deny', condition })], { history });
    expect(found).toMatchObject({ decision: expected ? 'deny' : 'allow', conditionError: null });
  });

  it('are empty if they are unknown', () => {
    const condition = `session.count + session.repeats + session.calls('*') == 0`;
    expect(decided([rule({ action: 'deny', condition })], {})).toMatchObject({
      decision: 'deny',
      conditionError: null,
    });
  });

  it('are read if a condition uses them', () => {
    const reads = (condition: string) => compile([rule({ action: 'deny', condition })]).readsHistory;
    expect(['session.count > 1', `session.calls('*') > 1`, `session['repeats'] > 1`].map(reads)).toEqual([
      true,
      true,
      true,
    ]);
    expect([`session.id == 'x'`, 'args.count > 1'].map(reads)).toEqual([false, false]);
  });

  it('do not exceed the cost limit of a decision when many rules use them', () => {
    const rules = Array.from({ length: 50 }, (_, index) =>
      rule({ id: `r${index}`, action: 'deny', condition: `session.calls('x/${index}') > 0` }),
    );
    const long = Array.from({ length: 5_000 }, (_, index) => ({ ...history[0]!, ageSeconds: index }));
    expect(decided(rules, { history: long })).toMatchObject({ decision: 'allow', conditionError: null });
  });
});
