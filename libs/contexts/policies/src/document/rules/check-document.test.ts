import fc from 'fast-check';
import { checkDocument } from './check-document.ts';
import { renderDocument } from './document-text.ts';

const check = (lines: string[]) => checkDocument(lines.join('\n'));

const GOOD = [
  'version: "1"',
  'metadata: { name: production guard }',
  'approval_workflows:',
  '  - { name: dba, approvers: [dana], quorum: 1, expires_seconds: 1800 }',
  'rules:',
  '  - id: no-drop',
  '    description: nobody drops tables',
  '    match: { tools: ["db/*"], agent_kinds: ["*"], agent_tags: [], agents: [], api_keys: [], flows: [] }',
  "    condition: has(args.sql) && args.sql.matches(r'(?i)drop\\s+table')",
  '    action: deny',
  'defaults: { action: allow, workflow: null, changed_tools: require_approval }',
];

describe('a submitted document', () => {
  it('is read in the same way from YAML and from JSON', () => {
    const yaml = check(GOOD);
    expect(yaml).toMatchObject({ errors: [], warnings: [], document: { rules: [{ id: 'no-drop' }] } });
    const json = checkDocument(JSON.stringify(yaml.document, null, 2));
    expect(json).toEqual({ ...yaml, locate: expect.any(Function) as unknown });
  });

  it.each([
    ['nothing', '', 1, 1, 'empty'],
    ['a tab', 'version: "1"\nrules:\n\t- id: x', 3, 1, ''],
    ['a key twice', 'version: "1"\nversion: "1"', 2, 1, 'unique'],
    ['a key twice further down', 'version: "1"\nmetadata: {name: a, name: b}', 2, 21, 'unique'],
    ['an alias', 'version: "1"\nmetadata: &m { name: x }\ndefaults: *m', 2, 14, 'Anchors and aliases'],
    ['no version', 'rules: []', 1, 1, 'version'],
    ['an unknown key', 'version: "1"\nrulez: []', 2, 1, 'key "rulez" is not allowed'],
    ['an unknown action', 'version: "1"\nrules:\n  - id: x\n    action: block', 4, 5, 'allow, deny, require_approval'],
    [
      'an id twice',
      'version: "1"\nrules:\n  - { id: x, action: deny }\n  - { id: x, action: deny }',
      4,
      7,
      'Another rule',
    ],
    [
      'a bad condition',
      'version: "1"\nrules:\n  - id: x\n    action: deny\n    condition: foo',
      5,
      5,
      'no variable "foo"',
    ],
    ['too deep', `version: ${'['.repeat(5_000)}`, 1, 1, 'deeply'],
    ['many questions', '? '.repeat(50_000), 1, 1, 'deeply'],
    ['what no database holds', '{"version": "1", "metadata": {"name": "a\\u0000b"}}', 1, 1, 'NUL'],
    ['half of a pair', '{"version": "1", "metadata": {"name": "\\ud800"}}', 1, 1, ''],
    ['too large', `# ${'x'.repeat(300_000)}\nversion: "1"`, 1, 1, '256 KiB'],
  ])('is refused with the position: %s (PO-11)', (_what, text, line, column, message) => {
    const { document, errors } = checkDocument(text);
    expect(document).toBeUndefined();
    expect(errors[0]).toMatchObject({ line, column });
    expect(errors[0]?.message).toContain(message);
  });

  it.each(['"2"', '2', '1', '"1.0"', '""', 'null', '[]'])('with the version %s is refused (POL-32)', (version) => {
    const { document, errors } = checkDocument(`version: ${version}\nrules: []`);
    expect(document).toBeUndefined();
    expect(errors).toMatchObject([{ line: 1, path: '/version' }]);
    expect(errors[0]?.message).toContain('The version must be "1"');
  });

  it('is never refused without a reason', () => {
    const { defaults, rules } = { defaults: ['allow', 1, null], rules: ['x', [], {}] };
    const part = fc.oneof(fc.constantFrom('1', '2', 'deny', ...defaults, ...rules), fc.jsonValue());
    const keys = ['version', 'metadata', 'approval_workflows', 'rules', 'defaults', 'other'];
    const value = fc.dictionary(fc.constantFrom(...keys), part, { maxKeys: 6 });
    fc.assert(
      fc.property(value, (sent) => {
        const { document, errors } = checkDocument(JSON.stringify(sent));
        expect(document === undefined).toBe(errors.length > 0);
      }),
    );
  });

  it('is refused before any alias is expanded if aliases are nested ten levels deep (PO-11)', () => {
    const levels = Array.from(
      { length: 10 },
      (_, i) =>
        `l${i}: &l${i} [${Array(10)
          .fill(i === 0 ? 'x' : `*l${i - 1}`)
          .join(',')}]`,
    );
    expect(check(['version: "1"', ...levels]).errors.length).toBeGreaterThan(0);
  });

  it.each([
    [
      'a rule after one that takes everything',
      ['{ id: all, description: d, action: allow }', '{ id: never, description: d, action: deny }'],
      'never reached: the earlier rule "all"',
    ],
    [
      'a rule after a wider one',
      [
        '{ id: a, description: d, match: { tools: ["db/*"] }, action: allow }',
        '{ id: b, description: d, match: { tools: ["db/drop_*"] }, action: deny }',
      ],
      'never reached',
    ],
    ['a tool without a server', ['{ id: a, description: d, match: { tools: ["Bash"] }, action: deny }'], '*/Bash'],
    [
      'a workflow that nobody asks',
      ['{ id: a, description: d, workflow: dba, action: deny }'],
      'Only require_approval',
    ],
    ['an unguarded argument', ['{ id: a, description: d, condition: "args.x == 1", action: deny }'], 'has(args.x)'],
  ])('gets a warning: %s', (_what, rules, message) => {
    const { document, warnings } = check(['version: "1"', 'rules:', ...rules.map((rule) => `  - ${rule}`)]);
    expect(document).toBeDefined();
    expect(warnings.map((warning) => warning.message).join()).toContain(message);
    expect(warnings[0]?.line).toBe(2 + rules.length);
  });

  it('with many errors reports that there are more, and locates only the reported ones', () => {
    const unknown = (count: number) =>
      check(['version: "1"', ...Array.from({ length: count }, (_, index) => `k${index}: 1`)]).errors;
    expect(unknown(100)).toHaveLength(100);
    const errors = unknown(14_000);
    expect(errors).toHaveLength(101);
    expect(errors[99]).toMatchObject({ line: 101, path: '/k99' });
    expect(errors[100]).toMatchObject({ line: 1, column: 1, message: 'And 13900 more problems of this kind.' });
  });

  it.each([
    ['keys', Array.from({ length: 15_001 }, (_, index) => `k${index}: 1`), 'at most 15000 keys'],
    ['entries', [`rules: [${'1,'.repeat(30_001)}1]`], 'at most 30000 lines, commas and brackets'],
    ['lines', Array.from({ length: 30_002 }, () => '#'), 'at most 30000 lines, commas and brackets'],
    ['anchors', [`rules: [${'&a '.repeat(30_001)}]`], 'at most 30000 lines, commas and brackets'],
  ])('has a limit of %s, which is checked first (LIM-75)', (_what, lines, message) => {
    const { errors } = check(['version: "1"', ...lines]);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(message) as unknown })]);
  });

  it('with a thousand rules of maximum length is within the limits, in YAML and in JSON', () => {
    const rules = Array.from({ length: 1000 }, (_, index) => ({
      id: `r${index}`,
      description: 'Says, what it is for',
      match: { tools: ['db/*', 'x'], agents: ['a'] },
      condition: "has(args.x) && args.x == 'a'",
      action: 'require_approval',
      workflow: 'w',
    }));
    const json = JSON.stringify({ version: '1', rules });
    expect([
      checkDocument(json).errors,
      checkDocument(renderDocument({ version: '1', rules } as never)).errors,
    ]).toEqual([[], []]);
    const short = rules.map(({ id, match, condition, action }) => ({ id, match, condition, action }));
    expect(checkDocument(JSON.stringify({ version: '1', rules: short }, null, 1)).errors).toEqual([]);
  });

  it('is refused at the first rule that makes its patterns too complex, before they are compiled', () => {
    const rules = (count: number, pattern: (index: number) => string) =>
      Array.from(
        { length: count },
        (_, index) =>
          `  - {id: r${index}, description: d, action: deny, condition: "has(args.s) && args.s.matches('${pattern(index)}')"}`,
      );
    const { errors } = check(['version: "1"', 'rules:', ...rules(300, (index) => `${index}x{900}`)]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      path: '/rules/221/condition',
      line: 224,
      message: expect.stringContaining('patterns') as string,
    });
    expect(check(['version: "1"', 'rules:', ...rules(300, () => 'x{900}')]).errors).toEqual([]);
  });

  it('reports from which rule on reachability was not checked', () => {
    const wide = Array.from({ length: 99 }, (_, index) => `"t${index}/x"`).join(',');
    const rules = Array.from(
      { length: 150 },
      (_, index) => `{ id: r${index}, description: d, match: { tools: [${wide}, "u/${index}"] }, action: deny }`,
    );
    const { document, warnings } = check(['version: "1"', 'rules:', ...rules.map((rule) => `  - ${rule}`)]);
    expect(document).toBeDefined();
    expect(warnings.map((warning) => warning.message).join()).toContain('The check for unreachable rules stops');
  });

  it('gets no warning about a rule that an earlier condition may not match', () => {
    const rules = [
      '{ id: a, description: d, condition: "has(args.x)", action: allow }',
      '{ id: b, description: d, action: deny }',
    ];
    expect(check(['version: "1"', 'rules:', ...rules.map((rule) => `  - ${rule}`)]).warnings).toEqual([]);
  });

  const withTools = (...tools: string[]) =>
    `version: "1"\nrules:\n  - id: a\n    description: d\n    action: deny\n    match: { tools: ${JSON.stringify(tools)} }`;

  it.each([
    ['github/{delete,merge}_*', '{'],
    ['github/delete_?epo', '?'],
    ['github/[dm]elete_*', '['],
    ['github/**', '**'],
    ['**/x', '**'],
    ['!github/get_*', '!'],
    ['github/(a|b)', '('],
    ['github/a,b', ','],
    ['github/^a$', '^'],
    ['local/Bash(git:*)', '('],
    ['{github,gitlab}/*', '{'],
    ['mcp__github__delete_?', '?'],
    ['Ba?h', '?'],
  ])('is refused for a pattern that no tool can match: %s (POL-30)', (pattern, sign) => {
    const { document, errors } = checkDocument(withTools('db/*', pattern));
    expect(document).toBeUndefined();
    expect(errors).toMatchObject([{ line: 6, path: '/rules/0/match/tools/1' }]);
    expect(errors[0]?.message).toContain(`"${pattern}" matches no tool`);
    expect(errors[0]?.message).toContain(`no tool name contains ${sign}`);
  });

  it.each(['github/*', '*', '*/*', 'a.b/c.d-e_f:g@h~i', 'mcp__github__*', 'mcp__github', 'local/Bash'])(
    'accepts %s as a pattern',
    (pattern) => {
      expect(checkDocument(withTools(pattern))).toMatchObject({ errors: [], warnings: [] });
    },
  );

  it('gets a warning about unusual characters in names of callers, which people may have chosen (POL-30)', () => {
    const names = { agents: ['Build [prod]', 'a{b,c}'], agent_tags: ['!prod'], flows: ['**'], api_keys: ['ci-?'] };
    const rule = { id: 'a', description: 'd', action: 'deny', match: names };
    const { errors, warnings } = checkDocument(JSON.stringify({ version: '1', rules: [rule] }));
    expect(errors).toEqual([]);
    expect(warnings.map(({ path }) => path).sort()).toEqual([
      '/rules/0/match/agent_tags/0',
      '/rules/0/match/agents/1',
      '/rules/0/match/api_keys/0',
      '/rules/0/match/flows/0',
    ]);
  });

  it('gets a warning about a pattern that matches no tool of a known server (POL-31)', () => {
    const known = [
      { server: 'github', names: ['create_issue', 'delete_repo'] },
      { server: 'empty', names: [] },
    ];
    const patterns = [
      'github/delet_*',
      'github/Delete_*',
      'mcp__github__merge',
      'gitlab/x',
      'empty/x',
      '*/x',
      'GitHub/nope',
    ];
    const { errors, warnings } = checkDocument(withTools(...patterns), known);
    expect(errors).toEqual([]);
    expect(warnings.map(({ path }) => path)).toEqual([0, 2, 6].map((index) => `/rules/0/match/tools/${index}`));
    expect(warnings[0]?.message).toBe('"github/delet_*" matches no known tool of "github".');
  });
});
