import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const AGENT = 'a-1';
const ENROLLMENTS = `/api/v1/agents/${AGENT}/enrollments`;

describe('an enrollment recorded in the registry', () => {
  const home = useFolder();
  let service: HttpReceiver;
  /** Responses by method and path; other requests get 200 and {}. */
  let answers: Record<string, [status: number, body: object]>;
  beforeEach(async () => {
    answers = {
      [`POST ${ENROLLMENTS}`]: [201, { id: 'e-1', agent_id: AGENT }],
      'GET /api/v1/auth/api-keys': [200, { items: [{ runtime_principal: { type: 'managed_agent', id: AGENT } }] }],
    };
    service = await startService(({ method, path }) => answers[`${method} ${path}`] ?? [200, {}]);
  });
  afterEach(() => service.close());

  const run = (...args: readonly string[]): Promise<string> =>
    runHere(service.url, ['agents', ...args], '', undefined, {
      HOME: home(),
      XDG_CONFIG_HOME: join(home(), '.config'),
      PATH: `${home()}/bin:${process.env['PATH'] ?? ''}`,
    });
  /** Installs a program of this name in place of the agent or its hook. */
  const install = (name: string, script: string): void => {
    mkdirSync(join(home(), 'bin'), { recursive: true });
    writeFileSync(join(home(), 'bin', name), script, { mode: 0o755 });
  };
  /** Installs a program that responds like Codex's app server, version 0.171. */
  const installCodex = (hooks: readonly object[]): void =>
    install(
      'codex',
      `#!${process.execPath}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === 'hooks/list' ? { data: [{ cwd: '/', hooks: ${JSON.stringify(hooks)} }] } : {};
  if (id !== undefined) console.log(JSON.stringify({ method: 'configWarning' }) + '\\n' + JSON.stringify({ id, result }));
});
`,
    );
  const HOOK = { command: 'steward hook codex || exit 2', enabled: true, isManaged: false, trustStatus: 'trusted' };
  const listSent = () =>
    service.requests
      .filter(({ method }) => method === 'POST')
      .map(({ path, body }) => [path, body.length === 0 ? undefined : (JSON.parse(body.toString()) as unknown)]);
  const refusal = { detail: { code: 'not_found', message: 'There is no such resource.' }, request_id: 'r' };

  beforeEach(() => installCodex([HOOK]));

  it('is created when the file is changed, validated by calls of the agent, and marked as restored together with the file', async () => {
    await run('enroll', 'codex', '--model', 'fast', '--agent-id', AGENT);
    expect(await run('validate', 'codex')).toContain('validated');
    await run('restore', 'codex');
    expect(listSent()).toEqual([
      [
        ENROLLMENTS,
        { enrollment_type: 'cli', adapter_key: 'codex', status: 'applied', gateway_routed: true, mcp_rewritten: true },
      ],
      ['/mcp/v1', expect.objectContaining({ method: 'initialize' })],
      [`${ENROLLMENTS}/e-1/validate`, { ok: true, message: 'Calls reached the service, and the hook works.' }],
      [`${ENROLLMENTS}/e-1/restore`, undefined],
    ]);
    expect(JSON.stringify(listSent())).not.toContain(home());
  });

  it('requires a user login in addition to the key of the agent', async () => {
    await run('enroll', 'cursor', '--agent-id', AGENT);
    const message = 'A credential that acts as an agent may not do this.';
    answers[`POST ${ENROLLMENTS}/e-1/validate`] = [403, { detail: { code: 'permission_denied', message } }];
    await expect(run('validate', 'cursor')).rejects.toThrow(/log in as a user.*steward login/);
  });

  it('leaves the file unchanged if the service refuses it', async () => {
    answers[`POST ${ENROLLMENTS}`] = [404, refusal];
    await expect(run('enroll', 'cursor', '--agent-id', AGENT)).rejects.toMatchObject({ exitCode: 2 });
    expect(() => readFileSync(join(home(), '.cursor', 'mcp.json'))).toThrow('ENOENT');
    await expect(run('validate', 'cursor')).rejects.toMatchObject({ exitCode: 2 });
  });

  it.each<[string, string, [number, object], string]>([
    ['the key is refused', 'GET /api/v1/auth/api-keys', [401, refusal], 'The service refused the key (HTTP 401).'],
    [
      'the tools refuse the call',
      'POST /mcp/v1',
      [403, refusal],
      'The tools endpoint did not accept the call (HTTP 403).',
    ],
    [
      'the models refuse the call',
      'GET /openai/v1/models',
      [403, refusal],
      'The models endpoint did not accept the call (HTTP 403).',
    ],
    [
      'the key is another’s',
      'GET /api/v1/auth/api-keys',
      [200, { items: [{ runtime_principal: null }] }],
      'The key is not bound to this agent.',
    ],
  ])('is invalid if %s', async (_what, request, answer, message) => {
    await run('enroll', 'codex', '--model', 'fast', '--agent-id', AGENT);
    answers[request] = answer;
    await expect(run('validate', 'codex')).rejects.toMatchObject({ exitCode: 2 });
    expect(listSent().at(-1)).toEqual([`${ENROLLMENTS}/e-1/validate`, { ok: false, message }]);
  });

  it.each<[string, readonly object[], string]>([
    [
      'does not trust it',
      [{ ...HOOK, trustStatus: 'untrusted' }],
      'Codex does not trust the hook and does not run it.',
    ],
    [
      'was given another since',
      [{ ...HOOK, trustStatus: 'modified' }],
      'Codex does not trust the hook and does not run it.',
    ],
    ['has it turned off', [{ ...HOOK, enabled: false }], 'The hook is disabled in Codex.'],
    ['does not know it', [{ ...HOOK, command: 'something else' }], 'Codex does not recognize the hook'],
  ])('is invalid if Codex %s', async (_what, hooks, message) => {
    installCodex(hooks);
    expect(await run('enroll', 'codex', '--agent-id', AGENT)).toContain('/hooks');
    await expect(run('validate', 'codex')).rejects.toMatchObject({ exitCode: 2 });
    expect(listSent().at(-1)).toEqual([
      `${ENROLLMENTS}/e-1/validate`,
      { ok: false, message: expect.stringContaining(message) as string },
    ]);
  });

  it('stays valid if the hook of Codex is managed', async () => {
    installCodex([{ ...HOOK, trustStatus: 'untrusted', isManaged: true }]);
    await run('enroll', 'codex', '--agent-id', AGENT);
    expect(await run('validate', 'codex')).toContain('validated');
  });

  it.each<[string, string, string | null, string]>([
    ['runs a hook that asks', 'cat >/dev/null; exit 0', '2026-11-27T10:00:00Z', ''],
    [
      'runs a hook that reaches nothing',
      'echo \'{"x": "Steward could not be queried: no"}\'',
      null,
      'Steward could not be queried: no',
    ],
    ['has no such program', '', null, 'Its hook does not work'],
    ['runs a hook that asks with another key', 'exit 0', null, 'did not call the service with a key of this agent'],
  ])('of Claude Code is judged by its hook: it %s', async (_what, script, askedAt, message) => {
    if (script !== '') install('steward', `#!/bin/sh\n${script}\n`);
    answers[`GET /api/v1/agents/${AGENT}`] = [200, { id: AGENT, last_permission_check_at: askedAt }];
    await run('enroll', 'claude-code', '--agent-id', AGENT);
    if (message === '') expect(await run('validate', 'claude-code')).toContain('its hook asks');
    else await expect(run('validate', 'claude-code')).rejects.toMatchObject({ exitCode: 2 });
    const text = message === '' ? 'Calls reached the service, and the hook works.' : message;
    expect(listSent().at(-1)).toEqual([
      `${ENROLLMENTS}/e-1/validate`,
      { ok: message === '', message: expect.stringContaining(text) as string },
    ]);
  });

  it.each<[string, boolean, (text: string) => string]>([
    [
      'Codex wrote what it trusts',
      true,
      (text) =>
        `${text}\n[projects."/work"]\ntrust_level = "trusted"\n\n[hooks.state."x:pre_tool_use:0:0"]\ntrusted_hash = "sha256:1"\n`,
    ],
    ['somebody added a hook and a comment', true, (text) => `# mine\n${text}\n[[hooks.PostToolUse]]\nhooks = []\n`],
    ['the hook lets failures through', false, (text) => text.replace('|| exit 2', '--fail-open')],
    ['the hook has less time', false, (text) => text.replace('timeout = 120', 'timeout = 1')],
    ['the hook is gone', false, (text) => text.replaceAll('PreToolUse', 'PostToolUse')],
    ['models go elsewhere', false, (text) => text.replace('/openai/v1', '/elsewhere')],
    ['another provider is chosen', false, (text) => text.replace('model_provider = "steward"', 'model_provider = "x"')],
    ['the tools are gone', false, (text) => text.replace('[mcp_servers.steward]', '[mcp_servers.other]')],
    ['it is not TOML any more', false, (text) => `${text}\n[`],
  ])('is valid or not after a change of the file: %s', async (_what, stands, change) => {
    const path = join(home(), '.codex', 'config.toml');
    mkdirSync(join(home(), '.codex'), { recursive: true });
    writeFileSync(path, 'approval_policy = "never"\n\n[[hooks.PreToolUse]]\nmatcher = "mine"\nhooks = []\n');
    await run('enroll', 'codex', '--model', 'fast', '--agent-id', AGENT);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    if (stands) expect(await run('validate', 'codex')).toContain('validated');
    else await expect(run('validate', 'codex')).rejects.toMatchObject({ exitCode: 2 });
    expect(listSent().at(-1)).toEqual([
      `${ENROLLMENTS}/e-1/validate`,
      stands
        ? { ok: true, message: 'Calls reached the service, and the hook works.' }
        : { ok: false, message: 'The settings written by the enrollment have been changed since.' },
    ]);
  });

  it('stays valid after Claude Code changed its settings file', async () => {
    install('steward', '#!/bin/sh\ncat >/dev/null\n');
    answers[`GET /api/v1/agents/${AGENT}`] = [200, { id: AGENT, last_permission_check_at: '2026-11-27T10:00:00Z' }];
    await run('enroll', 'claude-code', '--model', 'careful', '--agent-id', AGENT);
    const path = join(home(), '.claude', 'settings.json');
    const settings = JSON.parse(readFileSync(path, 'utf8')) as { env: object };
    writeFileSync(path, JSON.stringify({ theme: 'dark', ...settings, env: { ...settings.env, MINE: '1' } }));
    expect(await run('validate', 'claude-code')).toContain('its hook asks');
  });

  it('is invalid if its changes were removed from the file', async () => {
    await run('enroll', 'cursor', '--agent-id', AGENT);
    writeFileSync(join(home(), '.cursor', 'mcp.json'), '{}');
    await expect(run('validate', 'cursor')).rejects.toMatchObject({ exitCode: 2 });
    expect(listSent().at(-1)).toEqual([
      `${ENROLLMENTS}/e-1/validate`,
      { ok: false, message: 'The settings written by the enrollment have been changed since.' },
    ]);
  });

  it('is undone on this machine even if the registry cannot be updated', async () => {
    await run('enroll', 'cursor', '--agent-id', AGENT);
    answers[`POST ${ENROLLMENTS}/e-1/restore`] = [404, refusal];
    expect(await run('restore', 'cursor')).toContain('The registry was not updated');
    expect(() => readFileSync(join(home(), '.cursor', 'mcp.json'))).toThrow('ENOENT');
  });
});
