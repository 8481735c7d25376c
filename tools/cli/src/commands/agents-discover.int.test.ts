import { createHmac } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { useFolder, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const SALT = 'ab'.repeat(32);

describe('discovering the agents of a machine', () => {
  const home = useFolder();
  let service: HttpReceiver;
  let salt: string;
  beforeEach(async () => {
    salt = SALT;
    service = await startService(({ method }) => [200, method === 'GET' ? { salt } : { created: 1, updated: 2 }]);
  });
  afterEach(() => service.close());

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(home(), path)), { recursive: true });
    writeFileSync(join(home(), path), text);
  };
  const discover = (...args: readonly string[]): Promise<string> => {
    const env = { HOME: home(), XDG_CONFIG_HOME: join(home(), '.config'), PATH: join(home(), 'bin') };
    return runHere(service.url, ['agents', 'discover', ...args], '', undefined, env);
  };
  const readPrinted = (out: string) =>
    JSON.parse(/^\{$[^]*?^\}$/m.exec(out)?.[0] ?? '') as { readonly agents: readonly object[] };
  const hash = (text: string): string => createHmac('sha256', Buffer.from(SALT, 'hex')).update(text).digest('hex');

  it('prints exactly the data that --report sends: hashes, kinds, versions and counts (DISC-4)', async () => {
    write('.claude/settings.json', '{"hooks": {"x": "steward hook claude-code"}}');
    write('lib/package.json', '{"name": "@anthropic-ai/claude-code", "version": "2.1.0"}');
    write('lib/bin/cli.js', '');
    mkdirSync(join(home(), 'bin'));
    symlinkSync('../lib/bin/cli.js', join(home(), 'bin', 'claude'));
    write('.codex/config.toml', '[mcp_servers.a]\nurl = "x"\n[mcp_servers.b]\nurl = "y"\n');
    write('.cursor/mcp.json', 'no JSON');
    write('.config/opencode/opencode.json', '{"mcp": {"a": {}}}');
    const dry = await discover();
    expect(service.requests.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/api/v1/agents/discovery-salt'],
    ]);
    const sent = readPrinted(dry);
    expect(sent).toEqual({
      workstation_fingerprint: hash(`workstation\n${hostname()}\n${userInfo().username}`),
      os_family: process.platform === 'linux' ? 'linux' : expect.any(String),
      agents: [
        {
          agent_kind: 'claude_code',
          agent_version: '2.1.0',
          config_path_hash: hash('path\n~/.claude/settings.json'),
          mcp_server_count: 0,
          enrolled: true,
        },
        ...(
          [
            ['codex', '~/.codex/config.toml', 2],
            ['cursor', '~/.cursor/mcp.json', 0],
            ['opencode', '~/.config/opencode/opencode.json', 1],
          ] as const
        ).map(([kind, path, count]) => ({
          agent_kind: kind,
          config_path_hash: hash(`path\n${path}`),
          mcp_server_count: count,
          enrolled: false,
        })),
      ],
    });
    const out = await discover('--report');
    expect(out).toContain('agents sent: 1 new, 2 known');
    expect(JSON.parse(service.requests.at(-1)?.body.toString() ?? '')).toEqual(sent);
    for (const { path, body, headers } of service.requests)
      expect(JSON.stringify([path, body.toString(), headers])).not.toContain(home());
  });

  it('sends no version that could be a path', async () => {
    write('.codex/config.toml', '');
    write('lib/package.json', `{"name": "@openai/codex", "version": "${home()}"}`);
    write('lib/codex', '');
    mkdirSync(join(home(), 'bin'));
    symlinkSync('../lib/codex', join(home(), 'bin', 'codex'));
    expect(readPrinted(await discover()).agents[0]).not.toHaveProperty('agent_version');
  });

  it('sends nothing if there is no agent', async () => {
    expect(await discover('--report')).toContain('No agent is set up on this machine');
    expect(service.requests).toEqual([]);
  });

  it('refuses to hash with an invalid salt', async () => {
    write('.codex/config.toml', '');
    salt = '';
    await expect(discover('--report')).rejects.toMatchObject({ exitCode: 2 });
    expect(service.requests).toHaveLength(1);
  });
});
