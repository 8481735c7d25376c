import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const PROBLEM = { line: 3, column: 5, path: '/rules/0', message: 'It is wrong.' };
const CHANGES = [
  { kind: 'added', path: 'rules/new', before: null, after: {} },
  { kind: 'changed', path: 'rules/old/action', before: 'allow', after: 'deny' },
];
const BACKTEST = {
  id: 'b-1',
  status: 'finished',
  finished_at: '2026-11-23T10:00:00Z',
  examined: 3,
  without_arguments: 1,
  changed: 1,
  error: null,
  decisions: { allow: 2, deny: 1, require_approval: 0 },
  rules: [
    { rule_id: 'r', before: 0, after: 1, changed: 1 },
    { rule_id: null, before: 3, after: 2, changed: 0 },
  ],
  changed_examples: [
    {
      occurred_at: '2026-11-20T10:00:00Z',
      tool_name: 'Bash',
      runtime_session_id: 's-1',
      before: 'allow',
      after: 'deny',
      rule_id: 'r',
    },
  ],
};
const ANSWERS: Readonly<Record<string, readonly [number, object]>> = {
  'POST /validate': [200, { valid: false, errors: [PROBLEM], warnings: [{ ...PROBLEM, message: 'Odd.' }] }],
  'POST /diff': [
    422,
    { detail: { code: 'invalid_policy', message: 'x', errors: [PROBLEM], warnings: [] }, request_id: 'r' },
  ],
  'POST /apply': [201, { version: 4, changed: true, changes: CHANGES, warnings: [] }],
  'POST /test': [
    200,
    {
      decision: 'deny',
      rule: { version: 4, id: 'r', description: 'No.' },
      rule_description: 'No.',
      condition_error: null,
      trace: [{ id: 'r', matched: true, condition_value: true, error: null }],
    },
  ],
  'POST /backtest': [202, { ...BACKTEST, finished_at: null, status: 'queued', examined: 0 }],
  'GET /backtests/b-1': [200, BACKTEST],
  'GET /versions': [
    200,
    {
      items: [{ version: 2, created_at: '2026-11-20T10:00:00Z', rules: 3, rolled_back_to: 1, message: 'back' }],
      next_cursor: 'c',
    },
  ],
  'POST /versions/1/rollback': [201, { version: 5, changes: CHANGES }],
};

describe('policies on the command line', () => {
  let service: HttpReceiver;
  const folder = useFolder();
  let file: string;
  beforeEach(async () => {
    file = join(folder(), 'policy.yaml');
    writeFileSync(file, 'version: "1"\n');
    service = await startService((request) => {
      const path = new URL(request.path, 'http://x').pathname.replace('/api/v1/policies', '');
      return ANSWERS[`${request.method} ${path}`] ?? [404, {}];
    });
  });
  afterEach(() => service.close());
  const run = (args: readonly string[], stdin?: string) =>
    runHere(service.url, ['policy', ...args], stdin).catch((error: Error) => `! ${error.message}`);
  const asked = () => service.requests.at(-1);

  it('prints problems as file:line:column, and exits with 1', async () => {
    expect(await run(['validate', file])).toBe(
      `${file}:3:5: error: It is wrong.\n${file}:3:5: warning: Odd.\nexit 1\n`,
    );
    expect(asked()?.headers['content-type']).toBe('application/yaml');
    expect(await run(['validate'], 'version: "1"')).toContain('stdin:3:5: error');
    expect(asked()?.body.toString()).toBe('version: "1"');
  });

  it('also prints the problems if the service refuses a document', async () => {
    await expect(runHere(service.url, ['policy', 'diff', file])).rejects.toMatchObject({ exitCode: 1 });
  });

  it('replaces the named version, and prints the changes', async () => {
    const out = await run(['apply', file, '--message', 'because & why', '--if-version', '3']);
    expect(out).toBe('+ rules/new\n~ rules/old/action: "allow" -> "deny"\nversion 4 is in force\n');
    expect(asked()?.path).toBe('/api/v1/policies/apply?message=because+%26+why');
    expect(asked()?.headers['if-match']).toBe('"3"');
    await run(['apply', file, '--dry-run']);
    expect(asked()?.path).toBe('/api/v1/policies/apply?dry_run=1');
  });

  it('tests the decision on a call', async () => {
    const args = ['test', 'db/drop', '--arguments', '{"a":1}', '--agent-tag', 'prod', '--file', file];
    expect(await run(args)).toBe('deny by r: No.\n  r: matched\n');
    expect(JSON.parse(asked()?.body.toString() ?? '')).toEqual({
      tool_name: 'drop',
      server: 'db',
      arguments: { a: 1 },
      agent: { tags: ['prod'] },
      document: 'version: "1"\n',
    });
    expect(await run(['test', 'Bash', '--arguments', '{'])).toContain('not JSON');
  });

  it('waits for a backtest and prints the changed decisions', async () => {
    expect(await run(['backtest', file, '--since', '2026-11-01'])).toBe(
      [
        '2026-11-20 10:00  Bash  allow -> deny  r  s-1',
        'rule r: 0 -> 1 calls, 1 changed',
        'rule default: 3 -> 2 calls, 0 changed',
        '3 calls: 2 allowed, 1 denied, 0 need approval; 1 would be decided differently',
        'calls recorded without arguments, which were evaluated with empty arguments: 1',
        '',
      ].join('\n'),
    );
  });

  it('lists versions and rolls back to one', async () => {
    expect(await run(['versions'])).toBe('2  2026-11-20 10:00  3 rules  (as version 1)  back\nnext page: --cursor c\n');
    expect(await run(['rollback', '1', '--message', 'too lax'])).toContain(
      'version 5 is in force, with the content of version 1',
    );
    expect(JSON.parse(asked()?.body.toString() ?? '')).toEqual({ message: 'too lax' });
  });

  it('reports the name of a file that cannot be read', async () => {
    expect(await run(['apply', join(folder(), 'gone.yaml')])).toContain('cannot be read (ENOENT)');
  });
});
