import { eventually, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const HASH = 'ab'.repeat(32);
const SERVER = {
  id: 's-1',
  name: 'files',
  url: 'https://tools.example.com/mcp',
  enabled: true,
  status: 'ok',
  last_error: null,
  tools_count: 2,
  tools_seen_at: '2026-11-24T10:00:00Z',
};
const LINE = 's-1  files  https://tools.example.com/mcp  ok  2 tools, seen 2026-11-24 10:00\n';
const READ = {
  name: 'read_file',
  definition: { name: 'read_file', description: 'Reads\na file.' },
  definition_hash: HASH,
  changed: true,
  accepted_definition: { name: 'read_file', description: 'Looks at a file.' },
};
const WRITE = { name: 'write_file', definition: {}, definition_hash: HASH, changed: false, accepted_definition: null };
const SERVERS = { 'GET ?limit=200': { items: [SERVER], next_cursor: null } };
const TOOLS = { ...SERVERS, 'GET /s-1/tools?limit=200': { items: [READ, WRITE], next_cursor: null } };

describe('tool servers on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(
    args: readonly string[],
    answers: Readonly<Record<string, object>>,
    env: Readonly<Record<string, string>> = {},
  ) {
    service = await startService(({ method, path }) => {
      const body = answers[`${method} ${path.replace('/api/v1/mcp-servers', '')}`];
      return body === undefined ? [404, {}] : [200, body];
    });
    const out = await runHere(service.url, ['mcp', ...args], '', undefined, env).catch(
      (error: Error) => `! ${error.message}`,
    );
    const sent = service.requests.filter(({ method }) => method !== 'GET');
    return { out, sent: sent.map(({ path, body }) => [path, JSON.parse(body.toString() || 'null') as unknown]) };
  }

  it('are listed, including failing ones and those on later pages', async () => {
    const off = { ...SERVER, enabled: false, tools_seen_at: null };
    const failing = { ...SERVER, status: 'failing', last_error: 'it answers 503' };
    const { out } = await run(['servers'], {
      'GET ?limit=200': { items: [SERVER, off], next_cursor: 'c' },
      'GET ?limit=200&cursor=c': { items: [failing], next_cursor: null },
    });
    expect(out).toBe(
      `${LINE}${LINE.replace('  ok  2 tools, seen 2026-11-24 10:00', '  off  2 tools')}${LINE.replace('ok', 'failing (it answers 503)')}`,
    );
  });

  it('are added with headers from the environment, which do not appear in the process list', async () => {
    const args = ['add', 'files', SERVER.url, '--header-env', 'Authorization=TOOLS_AUTH'];
    const { out, sent } = await run(args, { 'POST ': SERVER }, { TOOLS_AUTH: 'Bearer x' });
    expect(out).toBe(LINE);
    expect(sent).toEqual([
      [expect.any(String), { name: 'files', url: SERVER.url, headers: { Authorization: 'Bearer x' } }],
    ]);
    await service.close();
    expect(await run(args, { 'POST ': SERVER })).toEqual({
      out: expect.stringContaining('TOOLS_AUTH is not set') as unknown,
      sent: [],
    });
    await service.close();
    expect((await run([...args.slice(0, -1), 'Authorization: Bearer x'], {})).out).toContain('environment variable');
  });

  it('are connected by a login in a browser that returns to this machine, and disconnected', async () => {
    const answers = {
      ...SERVERS,
      'POST /s-1/oauth/connect': { authorization_url: 'https://login.example.com/authorize?state=s' },
      'POST /s-1/oauth/finish': SERVER,
    };
    const args = ['connect', 'files', '--client-id', 'c', '--client-secret-env', 'SECRET', '--scope', 'a b'];
    const running = run(args, answers, { SECRET: 'hush' });
    const findConnect = () => service?.requests.find(({ path }) => path.endsWith('/connect'));
    await eventually(() => Promise.resolve(findConnect() !== undefined));
    const begun = JSON.parse(findConnect()?.body.toString() ?? '') as Record<string, string>;
    expect(begun).toEqual({
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/) as unknown,
      client_id: 'c',
      client_secret: 'hush',
      scope: 'a b',
    });
    expect((await fetch(String(begun['redirect_uri']))).status).toBe(404);
    const back = new URLSearchParams({ state: 's', code: 'x', iss: 'https://login.example.com', other: '1' });
    expect((await fetch(`${String(begun['redirect_uri'])}?${back.toString()}`)).status).toBe(200);
    const { out, sent } = await running;
    expect(out).toBe(
      `Open this page in a browser on this machine to connect files:\nhttps://login.example.com/authorize?state=s\n${LINE}`,
    );
    expect(sent.at(-1)).toEqual([
      '/api/v1/mcp-servers/s-1/oauth/finish',
      { state: 's', code: 'x', iss: 'https://login.example.com' },
    ]);
    await service.close();
    expect((await run(args, answers)).out).toContain('SECRET is not set');
    await service.close();
    expect((await run(['disconnect', 'files'], { ...SERVERS, 'DELETE /s-1/oauth': {} })).out).toBe(
      'files is not connected any more\n',
    );
  });

  it('can be programs, with variables from the environment, and their output can be printed', async () => {
    const args = [
      'add-program',
      'files',
      '--env',
      'TOKEN=MINE',
      '--allow',
      'api.example.com',
      '--',
      'npx',
      '-y',
      'server',
    ];
    const { out, sent } = await run(args, { 'POST ': { ...SERVER, url: 'stdio:npx' } }, { MINE: 'hush' });
    expect(out).toBe(LINE.replace(SERVER.url, 'stdio:npx'));
    expect(sent).toEqual([
      [
        '/api/v1/mcp-servers',
        {
          name: 'files',
          transport: 'stdio',
          command: {
            command: 'npx',
            args: ['-y', 'server'],
            env: { TOKEN: 'hush' },
            network_allow: ['api.example.com'],
          },
        },
      ],
    ]);
    await service.close();
    expect((await run(['log', 'files'], { ...SERVERS, 'GET /s-1/log': { lines: ['begun', 'ended'] } })).out).toBe(
      'begun\nended\n',
    );
  });

  it('can list their tools, by name or id', async () => {
    for (const name of ['files', 's-1']) {
      expect((await run(['refresh', name], { ...SERVERS, 'POST /s-1/refresh': SERVER })).out).toBe(LINE);
      await service.close();
    }
    expect((await run(['refresh', 'nope'], SERVERS)).out).toContain('There is no tool server nope.');
  });

  it('show which tools have changed, and what has changed', async () => {
    expect((await run(['tools', 'files'], TOOLS)).out).toBe('read_file  CHANGED  Reads a file.\nwrite_file\n');
    await service.close();
    const { out } = await run(['tools', 'files', '--changed'], TOOLS);
    expect(out).toContain('"description": "Looks at a file."');
    expect(out).not.toContain('write_file');
  });

  it('accept the version of a tool that was shown', async () => {
    const accepted = { ...READ, changed: false };
    const { out, sent } = await run(['accept', 'files', 'read_file'], {
      ...TOOLS,
      'POST /s-1/tools/read_file/accept': accepted,
    });
    expect(out).toBe('read_file  Reads a file.\n');
    expect(sent).toEqual([[expect.stringContaining('/read_file/accept'), { definition_hash: HASH }]]);
    await service.close();
    expect((await run(['accept', 'files', 'nope'], TOOLS)).out).toContain('has no tool nope');
  });
});
