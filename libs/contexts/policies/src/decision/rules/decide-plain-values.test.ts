import fc from 'fast-check';
import { parseExactJson } from '@steward/text';
import type { PlainVariables } from '../../condition/rules/plain-condition.ts';
import type { PolicyRule } from '../../document/rules/policy-document.ts';
import { compilePolicy, type CompiledPolicy, type CompiledRule } from './compile-policy.ts';
import { traceDecision } from './decide.ts';
import type { ToolCallFacts } from './decision.ts';

const NAMES = ['a', 'b', '__proto__', 'constructor'] as const;

/** Generates conditions on operands of any type, so that many of them fail. */
const { condition } = fc.letrec<{ condition: string; value: string; range: string }>((tie) => {
  const member = fc.constantFrom(...NAMES).map((name) => (name === '__proto__' ? `args['${name}']` : `args.${name}`));
  const fact = fc.constantFrom(
    ...['agent.name', 'agent.kind', 'agent.tags', 'session.id', 'session.count', 'session.repeats', 'tool.name'],
    ...['user.id', 'args', 'agent', 'x', 'args.a.b', `args.b['a']`, 'args.a[0]', 'now.getHours()', 'now'],
  );
  const constant = fc.constantFrom(
    ...[`'x'`, `''`, `'prod'`, '1', '1.0', '2u', '0', '-1', 'true', 'false', 'null', '[]', `['x', 1]`, `{'a': 1}`],
  );
  const operator = fc.constantFrom('==', '!=', '<', '<=', '>', '>=', 'in', '+');
  const method = fc.constantFrom('contains', 'startsWith', 'endsWith');
  const pattern = fc.constantFrom(`'^x'`, `'(?i)X+'`);
  return {
    value: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      member,
      fact,
      constant,
      fc.tuple(tie('value')).map(([of]) => `size(${of})`),
      fc.tuple(tie('condition'), tie('value'), tie('value')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    ),
    range: fc.oneof(member, fc.constantFrom('args', 'agent.tags', 'agent', `['x', 1, true]`, `args.a.map(i, i)`)),
    condition: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      fc.tuple(tie('value'), operator, tie('value')).map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc.tuple(member, method, constant).map(([a, call, b]) => `${a}.${call}(${b})`),
      fc.tuple(member, pattern).map(([a, text]) => `${a}.matches(${text})`),
      fc.constantFrom('has(args.a)', 'has(args.b)', 'has(args.a.b)', 'has(session.count)', 'has(args.constructor)'),
      fc.tuple(tie('value')).map(([a]) => `!${a}`),
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a} && ${b})`),
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a} || ${b})`),
      fc
        .tuple(
          tie('range'),
          fc.constantFrom('exists', 'all', 'exists_one'),
          fc.constantFrom('x', 'args'),
          tie('condition'),
        )
        .map(([range, macro, name, body]) => `${range}.${macro}(${name}, ${body})`),
    ),
  };
});

const scalar = fc.oneof(
  fc.constantFrom<unknown>('x', 'x', '', 'prod', 'X', null, null, true, false, 0, 1, 1.5, 2 ** 53),
  fc.string({ maxLength: 3 }),
  fc.constantFrom('9007199254740993', '-9223372036854775808').map((text) => parseExactJson(text)),
);
const list = fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxLength: 4 });
const objectOf = (value: fc.Arbitrary<unknown>) =>
  fc.tuple(...NAMES.map(() => fc.option(value, { freq: 3, nil: undefined }))).map((values) => {
    const entries = NAMES.map((name, index) => [name, values[index]] as const);
    // `Object.fromEntries` defines `__proto__` as an ordinary member, as JSON.parse does.
    return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
  });

const args = fc.oneof(
  { weight: 9, arbitrary: objectOf(fc.oneof(scalar, list, objectOf(scalar))) },
  { weight: 1, arbitrary: scalar },
);

const rules = fc.array(
  fc.record({
    action: fc.constantFrom('allow' as const, 'deny' as const, 'require_approval' as const),
    condition: fc.oneof({ weight: 9, arbitrary: condition }, { weight: 1, arbitrary: fc.constant(undefined) }),
    tools: fc.constantFrom(['*'], ['shell/*'], ['Shell/Exec'], ['db/*']),
  }),
  { minLength: 1, maxLength: 6 },
);

interface Counts {
  byLibrary: number;
  plain: number;
}

function compile(
  drawn: readonly (Omit<PolicyRule, 'id' | 'condition'> & { readonly condition: string | undefined })[],
): CompiledPolicy {
  const listed = drawn.map(({ condition: text, ...rule }, index): PolicyRule => ({
    id: `rule-${index}`,
    ...rule,
    ...(text === undefined ? {} : { condition: text }),
  }));
  return compilePolicy({ version: '1', rules: listed }, 1);
}

/**
 * Returns a policy that evaluates every condition with the library, and counts the conditions that need it and those
 * that do not.
 */
function withoutPlainValues(
  { rules: all, rulesOf, rulesOfAnyCase, ...policy }: CompiledPolicy,
  counts: Counts,
): CompiledPolicy {
  const change = (rule: CompiledRule): CompiledRule => {
    const { condition: given } = rule;
    const compiled = given?.compiled && {
      ...given.compiled,
      evaluatePlain: (variables: PlainVariables) => {
        const value = given.compiled?.evaluatePlain(variables);
        counts[value === undefined ? 'byLibrary' : 'plain'] += 1;
        return undefined;
      },
    };
    return given === undefined ? rule : { ...rule, condition: { text: given.text, compiled } };
  };
  return {
    ...policy,
    rules: all.map(change),
    rulesOf: (server, tool) => rulesOf(server, tool).map(change),
    rulesOfAnyCase: (server, tool) => rulesOfAnyCase(server, tool).map(change),
  };
}

it('decides and explains in the same way as the library, for any rules and arguments', () => {
  const counts = { byLibrary: 0, plain: 0 };
  fc.assert(
    fc.property(rules, args, (drawn, given) => {
      const policy = compile(drawn.map(({ tools, ...rule }) => ({ ...rule, match: { tools: [...tools] } })));
      const facts: ToolCallFacts = {
        ...{ tool: { server: 'shell', name: 'exec' }, args: given, now: new Date('2026-11-20T12:00:00Z') },
        agent: { id: 'a1', kind: 'codex', name: 'Builder', tags: ['prod', 'eu'] },
        session: { id: 's1', sourceType: 'codex' },
        history: [{ server: 'shell', name: 'exec', ageSeconds: 3, isEqual: true }],
      };
      expect(traceDecision(policy, facts)).toEqual(traceDecision(withoutPlainValues(policy, counts), facts));
    }),
    { numRuns: 1_000 },
  );
  // Neither kind is rare, so that the comparison is meaningful.
  expect(Math.min(counts.byLibrary, counts.plain)).toBeGreaterThan(300);
});
