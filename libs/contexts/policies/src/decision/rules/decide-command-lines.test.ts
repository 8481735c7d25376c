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

describe('a command line in conditions (POL-29)', () => {
  const readsAll = `shell(args.command).exists(p, p.unreadable || p.args.exists(a, a == '--force'))`;

  it('is parsed once for all conditions of a decision', () => {
    const rules = Array.from({ length: 20 }, (_, index) =>
      rule({ id: `r${index}`, action: 'deny', condition: readsAll }),
    );
    expect(decided(rules, { args: { command: 'git status; '.repeat(100) } })).toMatchObject({
      decision: 'allow',
      conditionError: null,
    });
    const script = `cat > a.ts <<'EOF'\n${'const a = `${1}`;\n'.repeat(3_500)}EOF`;
    expect(decided(rules, { args: { command: script } })).toMatchObject({ decision: 'allow', conditionError: null });
  });

  it.each([
    ['a number', 7],
    ['nothing', undefined],
    ['a list with a number', ['a', 7]],
    ['a map', { a: 1 }],
  ])('that is invalid makes the condition fail: %s', (_what, command) => {
    const found = decided([rule({ action: 'deny', condition: readsAll })], { args: { command } });
    expect(found.decision).toBe('deny');
    expect(found.conditionError).not.toBeNull();
  });

  it('can be taken from a list; the cost is then calculated from its maximum size', () => {
    const each = `args.commands.exists(c, shell(c).exists(p, p.program == 'rm'))`;
    const deny = [rule({ action: 'deny', condition: each })];
    expect(decided(deny, { args: { commands: ['ls', 'sudo rm x'] } })).toMatchObject({
      decision: 'deny',
      conditionError: null,
    });
    expect(decided(deny, { args: { commands: ['ls'] } }).decision).toBe('allow');
    const many = Array.from({ length: 200 }, () => 'a;'.repeat(500));
    expect(decided(deny, { args: { commands: many } }).conditionError).toContain('take too long');
  });

  it('that exceeds the limits is treated as unreadable', () => {
    const found = decided([rule({ action: 'deny', condition: readsAll })], { args: { command: 'a;'.repeat(40_000) } });
    expect(found).toMatchObject({ decision: 'deny', conditionError: null });
  });
});
