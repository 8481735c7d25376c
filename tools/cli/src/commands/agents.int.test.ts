import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { useFolder } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';

const FILES: Readonly<Record<string, string>> = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/config.toml',
  cursor: '.cursor/mcp.json',
  'gemini-cli': '.gemini/settings.json',
};
const JSON_BEFORE =
  '{\r\n    "theme": "dark",\n    "mcpServers": {"docs": {"url": "https://d.example"}}, "env": {"A": "1"} }';
const TOML_BEFORE = '# mine\nmodel = "old"\n\n[mcp_servers.docs]\nurl = "https://d.example"';

describe('enrolling the agents of a machine', () => {
  const home = useFolder();

  const run = (...args: readonly string[]): Promise<string> => {
    const env = { HOME: home(), XDG_CONFIG_HOME: join(home(), '.config') };
    return runHere('https://steward.example', ['agents', ...args], '', undefined, env);
  };
  const findFile = (agent: string): string => join(home(), FILES[agent] ?? '');
  const read = (agent: string): string => readFileSync(findFile(agent), 'utf8');
  function write(agent: string, text: string): void {
    mkdirSync(dirname(findFile(agent)), { recursive: true });
    writeFileSync(findFile(agent), text, { mode: 0o640 });
    chmodSync(findFile(agent), 0o640);
  }

  it.each(Object.keys(FILES))('%s: the file is restored byte for byte, with its mode', async (agent) => {
    const before = agent === 'codex' ? TOML_BEFORE : JSON_BEFORE;
    write(agent, before);
    expect(await run('enroll', agent)).toContain(`is enrolled: ${findFile(agent)}`);
    expect(read(agent)).toContain('steward');
    expect(read(agent)).toContain('https://d.example');
    expect(read(agent)).not.toContain('stw_');
    expect(statSync(findFile(agent)).mode & 0o777).toBe(0o640);
    await run('restore', agent);
    expect(read(agent)).toBe(before);
    expect(statSync(findFile(agent)).mode & 0o777).toBe(0o640);
  });

  it.each(Object.keys(FILES))('%s: a file that did not exist is removed again', async (agent) => {
    await run('enroll', agent);
    expect(statSync(findFile(agent)).mode & 0o777).toBe(0o600);
    await run('restore', agent);
    expect(statSync(findFile(agent), { throwIfNoEntry: false })).toBeUndefined();
    await expect(run('restore', agent)).rejects.toMatchObject({ exitCode: 2 });
  });

  it.each([
    ['claude-code', 'managed-settings.json', '{"permissions": {"deny": ["WebFetch"]}}'],
    ['codex', 'requirements.toml', 'allowed_sandbox_modes = ["read-only"]\n'],
  ])('%s: managed settings contain only the hook, readable by all, and are restored', async (agent, name, before) => {
    const file = join(home(), name);
    expect(await run('enroll', agent, '--managed', file)).toContain(
      `for all users of this machine. Settings file: ${file}`,
    );
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(`steward hook ${agent} || exit 2`);
    expect(text).not.toContain('https://steward.example');
    expect(statSync(file).mode & 0o777).toBe(0o644);
    await expect(run('enroll', agent, '--managed', file)).rejects.toMatchObject({ exitCode: 2 });
    await run('restore', agent, '--managed');
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    writeFileSync(file, before);
    await run('enroll', agent, '--managed', file);
    expect(readFileSync(file, 'utf8')).toContain(agent === 'codex' ? 'allowed_sandbox_modes' : 'WebFetch');
    await run('restore', agent, '--managed');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.each([
    [['cursor', '--managed']],
    [['codex', '--managed', '--model', 'fast']],
    [['codex', '--managed', '--agent-id', 'a-1']],
  ])('%j is refused: managed settings do not support it', async (args) => {
    await expect(run('enroll', ...args)).rejects.toMatchObject({ exitCode: 2 });
  });

  it('Claude Code: the hook is added next to existing ones, and models use the gateway if one is named', async () => {
    write('claude-code', '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}, "env": {"A": "1"}}');
    await run('enroll', 'claude-code', '--model', 'careful');
    expect(JSON.parse(read('claude-code'))).toEqual({
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [] },
          {
            matcher: '*',
            hooks: [{ type: 'command', command: 'steward hook claude-code || exit 2', timeout: 120 }],
          },
        ],
      },
      env: {
        A: '1',
        ANTHROPIC_BASE_URL: 'https://steward.example/anthropic',
        ANTHROPIC_MODEL: 'careful',
        ANTHROPIC_DEFAULT_HAIKU_MODEL: 'careful',
      },
      apiKeyHelper: 'printenv STEWARD_API_KEY',
    });
  });

  it('Codex: hook, tools and models are configured', async () => {
    write('codex', TOML_BEFORE);
    await run('enroll', 'codex', '--model', 'fast');
    expect(read('codex')).toContain('# mine\n');
    expect(parse(read('codex'))).toMatchObject({
      model: 'fast',
      model_provider: 'steward',
      model_providers: {
        steward: { base_url: 'https://steward.example/openai/v1', env_key: 'STEWARD_API_KEY', wire_api: 'responses' },
      },
      mcp_servers: {
        docs: { url: 'https://d.example' },
        steward: { url: 'https://steward.example/mcp/v1', bearer_token_env_var: 'STEWARD_API_KEY' },
      },
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'steward hook codex || exit 2', timeout: 120 }] }] },
    });
  });

  it('a dry run prints the file and writes nothing', async () => {
    write('cursor', '{}');
    const out = await run('enroll', 'cursor', '--dry-run');
    expect(out).toContain('"url": "https://steward.example/mcp/v1"');
    expect(read('cursor')).toBe('{}');
    await expect(run('restore', 'cursor')).rejects.toMatchObject({ exitCode: 2 });
  });

  it.each([
    ['claude-code', '{"a": 1, // why\n}'],
    ['claude-code', '[]'],
    ['claude-code', '{"hooks": {"PreToolUse": "x"}}'],
    ['codex', 'a ='],
  ])('%s: a file that cannot be changed safely stays unchanged: %p', async (agent, before) => {
    write(agent, before);
    await expect(run('enroll', agent)).rejects.toMatchObject({ exitCode: 2 });
    expect(read(agent)).toBe(before);
  });

  it('a file that has been changed since the enrollment is restored only on request', async () => {
    write('cursor', '{}');
    await run('enroll', 'cursor');
    await expect(run('enroll', 'cursor')).rejects.toMatchObject({ exitCode: 2 });
    write('cursor', '{"mine": true}');
    await expect(run('restore', 'cursor')).rejects.toMatchObject({ exitCode: 2 });
    expect(read('cursor')).toBe('{"mine": true}');
    await run('restore', 'cursor', '--force');
    expect(read('cursor')).toBe('{}');
  });

  it('a symbolic link to a file remains a link', async () => {
    const kept = join(home(), 'dotfiles.json');
    writeFileSync(kept, '{}');
    mkdirSync(join(home(), '.cursor'));
    symlinkSync(kept, findFile('cursor'));
    await run('enroll', 'cursor');
    expect(readFileSync(kept, 'utf8')).toContain('/mcp/v1');
    await run('restore', 'cursor');
    expect(readFileSync(kept, 'utf8')).toBe('{}');
  });

  it('models of an agent with a fixed gateway cannot be routed', async () => {
    await expect(run('enroll', 'cursor', '--model', 'x')).rejects.toMatchObject({ exitCode: 2 });
  });
});
