import fc from 'fast-check';
import type { PolicyDocument, PolicyRule, RuleMatch } from '../../document/rules/policy-document.ts';
import { compilePolicy } from './compile-policy.ts';
import { decide, traceDecision } from './decide.ts';
import type { ToolCallFacts } from './decision.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const call = (facts: Partial<ToolCallFacts> = {}): ToolCallFacts => ({
  tool: { server: 'shell', name: 'exec' },
  args: {},
  now: NOW,
  ...facts,
});
const rule = (fields: Partial<PolicyRule> & Pick<PolicyRule, 'action'>): PolicyRule => ({
  id: `r-${fields.action}`.replace('_', '-'),
  description: 'words',
  ...fields,
});
const compile = (rules: PolicyRule[], defaults: PolicyDocument['defaults'] = {}) =>
  compilePolicy({ version: '1', rules, defaults }, 7);
const decided = (rules: PolicyRule[], facts: Partial<ToolCallFacts> = {}) => decide(compile(rules), call(facts));

describe('a decision', () => {
  it('is the action of the first rule that matches (PO-4)', () => {
    const [allow, deny] = [rule({ action: 'allow' }), rule({ action: 'deny' })];
    expect(decided([allow, deny]).decision).toBe('allow');
    expect(decided([deny, allow])).toMatchObject({
      decision: 'deny',
      rule: { version: 7, id: 'r-deny', description: 'words' },
      policyVersion: 7,
    });
  });

  it('does not treat a slash in a name as the separator of server and tool', () => {
    const policy = compile([rule({ action: 'deny', match: { tools: ['db/*'] } })]);
    const ask = (server: string, name: string) => decide(policy, call({ tool: { server, name } })).decision;
    // The decisions must not depend on the order of the calls.
    expect([ask('db/a', 'b'), ask('db', 'a/b')]).toEqual(['allow', 'deny']);
  });

  it('is the default if no rule matches, with an explanation', () => {
    expect(decided([])).toMatchObject({ decision: 'allow', rule: null, conditionMatched: null });
    const held = decide(compile([], { action: 'require_approval', workflow: 'dba' }), call());
    expect(held).toMatchObject({ decision: 'require_approval', rule: null, workflow: 'dba' });
    expect(held.ruleDescription).toContain('held for an approval');
  });

  it('names the condition that was true (PO-1)', () => {
    const condition = `args.command.contains('--force')`;
    const deny = rule({ action: 'deny', condition, match: { tools: ['shell/exec'] } });
    expect(decided([deny], { args: { command: 'push --force' } })).toMatchObject({
      decision: 'deny',
      conditionMatched: condition,
      conditionError: null,
    });
    expect(decided([deny], { args: { command: 'push' } }).decision).toBe('allow');
  });

  it.each([
    ['deny', 'deny', 'deny'],
    ['require_approval', 'require_approval', 'require_approval'],
    ['allow', 'allow', 'deny'],
  ] as const)('treats a failed condition of an %s rule strictly (PO-2, PO-3)', (action, _same, expected) => {
    const rules = [
      rule({ action, id: 'first', condition: `args.path.startsWith('/tmp')` }),
      rule({ action: expected === action ? 'allow' : 'deny', id: 'second' }),
    ];
    const found = decided(rules, { args: {} });
    expect(found.decision).toBe(expected);
    if (action !== 'allow') expect(found.conditionError).toContain('path');
  });

  it('allows a guard that first checks whether the argument exists (PO-2)', () => {
    const guarded = rule({ action: 'deny', condition: `has(args.path) && args.path.startsWith('/etc')` });
    expect(decided([guarded], { args: {} }).decision).toBe('allow');
    expect(decided([guarded], { args: { path: '/etc/passwd' } }).decision).toBe('deny');
  });

  it('can depend on the caller (POL-19)', () => {
    const agent = { id: 'a1', kind: 'claude_code', name: 'Builder', tags: ['prod', 'eu'] };
    const matching: RuleMatch[] = [
      { agent_kinds: ['claude_*'] },
      { agent_tags: ['prod'] },
      { agents: ['Builder'] },
      { agents: ['a1'] },
      { agent_kinds: ['*'], agent_tags: [], agents: [] },
    ];
    for (const match of matching) {
      expect(decided([rule({ action: 'deny', match })], { agent }).decision).toBe('deny');
    }
    for (const match of matching.slice(0, 4)) {
      expect(decided([rule({ action: 'deny', match })]).decision).toBe('allow');
    }
    const ofKey = rule({ action: 'deny', match: { api_keys: ['ci'] } });
    expect(decided([ofKey], { apiKey: { id: 'k', name: 'ci' } }).decision).toBe('deny');
    const ofFlow = rule({ action: 'deny', match: { flows: ['nightly'] } });
    const execution = { id: 'e', flowId: 'f', flowName: 'nightly' };
    expect(decided([ofFlow], { execution }).decision).toBe('deny');
  });

  it('has empty agent fields for a caller without an agent, so that rules about agents do not fail (POL-19)', () => {
    const ofProd = rule({ action: 'deny', condition: `agent.tags.exists(t, t == 'prod') || agent.kind == 'codex'` });
    expect(decided([ofProd])).toMatchObject({ decision: 'allow' });
  });

  it('can depend on the time', () => {
    const atNight = rule({ action: 'deny', condition: 'now.getHours() < 6' });
    expect(decided([atNight]).decision).toBe('allow');
    expect(decided([atNight], { now: new Date('2026-11-20T03:00:00Z') }).decision).toBe('deny');
  });

  it('ignores inherited properties', () => {
    const deny = rule({
      action: 'deny',
      condition: 'has(args.__proto__) || has(args.constructor) || has(args.toString)',
    });
    expect(decided([deny]).decision).toBe('allow');
  });
});

describe('an expensive call (POL-20)', () => {
  const deny = (condition: string) => [rule({ action: 'deny', condition })];

  it.each([
    ['arguments above 256 KiB', `args.text == 'x'`, { text: 'a'.repeat(300_000) }],
    [
      'a loop in a loop over a long list',
      'args.l.exists(x, args.l.exists(y, x + y == 3.0))',
      { l: Array(3_000).fill(1) },
    ],
    [
      'a text looked for in each of many',
      `args.l.exists(x, args.t.contains(x))`,
      { l: Array(20_000).fill('b'), t: 'a'.repeat(90_000) },
    ],
    [
      'a list joined with itself',
      `(args.l${' + args.l'.repeat(60)}).exists(x, x == 2.0)`,
      { l: Array(20_000).fill(1) },
    ],
    ['a pattern of many parts', `args.t.matches('a[ab]{300}c')`, { t: 'ab'.repeat(100_000) }],
    ['a text joined with itself', `(args.t${' + args.t'.repeat(60)}).matches('a.{20}c')`, { t: 'ab'.repeat(10_000) }],
    [
      'a text put into a list again and again',
      `[args.t${', args.t'.repeat(60)}].exists(x, x.matches('a.{20}c'))`,
      { t: 'ab'.repeat(10_000) },
    ],
    ['a long list made by a loop', `args.l.filter(x, true).exists(y, y == 2.0)`, { l: Array(3_000).fill(1) }],
    [
      'a text put into a list for each item',
      `args.l.map(x, args.t).exists(y, y.contains('z'))`,
      { l: Array(2_000).fill(1), t: 'a'.repeat(200_000) },
    ],
    ['a loop whose steps all fail', `args.l.exists(x, x.lowerAscii() == 'q')`, { l: Array(100_000).fill(1) }],
    [
      'maps compared again and again',
      Array(60).fill('args.l != args.l').join(' || '),
      { l: Array.from({ length: 12_000 }, (_, a) => ({ a, b: 'c' })) },
    ],
  ])('counts as a failed condition: %s (PO-5)', (_what, condition, args) => {
    const found = decided(deny(condition), { args });
    expect(found.decision).toBe('deny');
    expect(found.conditionError).toMatch(
      JSON.stringify(args).length > 256 * 1024 ? /larger than 256 KiB/ : /take too long/,
    );
  });

  it('is measured over all conditions together', () => {
    const rules = Array.from({ length: 200 }, (_, index) =>
      rule({ id: `r${index}`, action: 'deny', condition: `args.t.matches('a+b${index}')` }),
    );
    const found = decided(rules, { args: { t: 'a'.repeat(200_000) } });
    expect(found.conditionError).toContain('take too long');
  });

  it('is decided normally if it stays below the limit (PO-5)', () => {
    const backtracking = deny(`args.text.matches('^(a+)+$')`);
    expect(decided(backtracking, { args: { text: `${'a'.repeat(100_000)}!` } })).toMatchObject({
      decision: 'allow',
      conditionError: null,
    });
    const words = deny(`args.text.matches('(?i)drop\\\\s+(table|schema)')`);
    expect(decided(words, { args: { text: 'a'.repeat(200_000) } }).conditionError).toBeNull();
    const each = deny(`args.l.exists(x, x.matches('(?i)drop\\\\s+(table|schema)'))`);
    expect(decided(each, { args: { l: Array(1_000).fill('a'.repeat(100)) } }).conditionError).toBeNull();
    const plain = Array(60).fill(`args.t == 'production'`).join(' || ');
    expect(decided(deny(plain), { args: { t: 'a'.repeat(250_000) } }).conditionError).toBeNull();
    const failing = deny(`args.l.exists(x, x.name.contains('q'))`);
    expect(decided(failing, { args: { l: Array(10_000).fill({ id: 1 }) } }).conditionError).toContain('name');
    const items = Array.from({ length: 200 }, (_, index) => ({ tags: [`t${index}`] }));
    const nested = deny(`args.items.exists(i, i.tags.exists(t, t == 't199'))`);
    expect(decided(nested, { args: { items } })).toMatchObject({ decision: 'deny', conditionError: null });
  });

  it('can contain arguments nested to any depth', () => {
    const depth = 20_000;
    const args = JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`) as unknown;
    expect(decided(deny('args.a == [1]'), { args }).decision).toMatch(/allow|deny/);
  });
});

describe('a trace', () => {
  it('shows the result of every rule, including those after the deciding one', () => {
    const rules = [
      rule({ id: 'other-tool', action: 'deny', match: { tools: ['db/*'] } }),
      rule({ id: 'fails', action: 'allow', condition: `args.x == 'y'` }),
      rule({ id: 'decides', action: 'deny', condition: `!has(args.x)` }),
      rule({ id: 'after', action: 'allow' }),
    ];
    const { decision, trace } = traceDecision(compile(rules), call());
    expect(decision.rule?.id).toBe('decides');
    expect(trace).toMatchObject([
      { id: 'other-tool', matched: false, conditionValue: null, error: null },
      { id: 'fails', matched: false, conditionValue: null, error: expect.stringContaining('x') },
      { id: 'decides', matched: true, conditionValue: true, error: null },
      { id: 'after', matched: true, conditionValue: null, error: null },
    ]);
  });

  it('agrees with the decision for any document and arguments', () => {
    const conditions = [
      'args.a',
      `args.a == 1`,
      `has(args.b)`,
      `args.b.contains('x')`,
      `args.l.exists(i, i > 1)`,
      undefined,
    ];
    const anyRule = fc.record({
      id: fc.stringMatching(/^[a-z]{6}$/),
      action: fc.constantFrom('allow' as const, 'deny' as const, 'require_approval' as const),
      condition: fc.constantFrom(...conditions),
      match: fc.constantFrom<RuleMatch>({}, { tools: ['shell/*'] }, { tools: ['db/*'] }, { agent_kinds: ['x'] }),
    });
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 8 }), fc.jsonValue(), (rules, args) => {
        const policy = compile(
          rules.map(({ condition, ...fields }) => ({ ...fields, ...(condition ? { condition } : {}) })),
        );
        const { decision, trace } = traceDecision(policy, call({ args }));
        expect(decision).toEqual(decide(policy, call({ args })));
        const first = trace.find(({ matched }) => matched);
        expect(decision.rule?.id).toBe(first?.id);
      }),
    );
  });
});
