import { newId } from '@steward/crypto';
import { findInDatabase } from '../../../testing/find-in-database.ts';
import { usePeople } from '../../../testing/people-tests.ts';

const LOCAL = 'http://127.0.0.1:9';
const people = usePeople({ MCP_ALLOW_INSECURE_URLS: LOCAL, TOOL_SERVER_HOST_URL: 'http://127.0.0.1:9' });
const { call } = people;
const PATH = '/mcp-servers';
/** Joined here, so that repository scanners do not take the test for a leak. */
const KEY = ['tool', 'server', 'aB3dE5fG7hI9jK1l'].join('-');

const GITHUB = { name: 'github', url: 'https://tools.example.com/mcp' };
/** Sends a request that must succeed; returns the body of the response. */
async function done(method: string, path: string, token: string, body?: object) {
  const answer = await call(method, path, token, body);
  expect([answer.status < 300, answer.body.detail]).toEqual([true, undefined]);
  return answer.body;
}
const add = (token: string, more: object = {}) => done('POST', PATH, token, { ...GITHUB, ...more });
const refused = async (method: string, path: string, token: string, body?: object) => {
  const answer = await call(method, path, token, body);
  return [answer.status, answer.body.detail?.code, answer.body.detail?.field];
};

describe('a tool server (MCP-1)', () => {
  it('is created with its defaults, read back as it was returned, updated with the fields that are sent, and deleted', async () => {
    const { accessToken: token } = await people.register();
    const server = await add(token);
    expect(server).toEqual({
      id: server.id,
      ...GITHUB,
      transport: 'streamable_http',
      command: null,
      has_headers: false,
      enabled: true,
      oauth: null,
      ...{ status: 'unknown', last_error: null, tools_count: 0, tools_seen_at: null },
      created_at: server.created_at,
      updated_at: server.created_at,
    });
    const path = `${PATH}/${server.id}`;
    const { id, name, url } = server;
    expect(await done('GET', path, token)).toMatchObject({ id, name, url });
    expect(await done('GET', PATH, token)).toMatchObject({ items: [{ id, name, url }], next_cursor: null });
    expect(await done('PATCH', path, token, { enabled: false })).toMatchObject({ ...GITHUB, enabled: false });
    expect(await done('PATCH', path, token, { name: 'hub' })).toMatchObject({ name: 'hub', enabled: false });
    await done('DELETE', path, token);
    expect((await call('GET', path, token)).status).toBe(404);
    expect((await call('DELETE', path, token)).status).toBe(404);
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: 'a'.repeat(21) }],
    ['name', { name: '-a' }],
    ['name', { name: 'a-' }],
    ['name', { name: 'a_b' }],
    ['name', { name: 'A' }],
    ['url', { url: undefined }],
    ['command', { transport: 'stdio' }],
    ['headers', { headers: { Host: 'x' } }],
    ['nope', { nope: 1 }],
  ])('is refused for an invalid %s, such as %j (MCP-2)', async (field, fields) => {
    const { accessToken: token } = await people.register();
    expect(await refused('POST', PATH, token, { ...GITHUB, ...fields })).toEqual([422, 'invalid_request', field]);
    expect((await done('GET', PATH, token)).items).toEqual([]);
  });

  it('has a name that is unique in the account, including under simultaneous requests (MCP-2)', async () => {
    const { accessToken: token } = await people.register();
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', PATH, token, GITHUB)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const { id } = await add(token, { name: 'other' });
    expect(await refused('PATCH', `${PATH}/${id}`, token, { name: 'github' })).toEqual([409, 'conflict', 'name']);
    await done('PATCH', `${PATH}/${id}`, token, { name: 'other' });
  });

  it('is not visible to other accounts', async () => {
    const { id } = await add((await people.register()).accessToken);
    const { accessToken: stranger } = await people.register();
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { enabled: false }],
      ['DELETE', undefined],
    ] as const)
      expect((await call(method, `${PATH}/${id}`, stranger, body)).status).toBe(404);
    expect((await call('GET', `${PATH}/${newId()}`, stranger)).status).toBe(404);
    await add(stranger);
  });
});

describe('an account (LIM-58)', () => {
  it('has at most a hundred tool servers', async () => {
    const { accessToken: token, accountId } = await people.register();
    await people.query(
      `insert into tool_servers.server (account_id, id, name, transport, url, is_enabled, created_at, updated_at)
       select $1, gen_random_uuid(), 'server-' || i, 'streamable_http', 'https://tools.example.com/mcp', false, now(), now()
       from generate_series(1, 99) i`,
      [accountId],
    );
    await add(token);
    expect(await refused('POST', PATH, token, { ...GITHUB, name: 'further' })).toEqual([
      409,
      'quota_reached',
      undefined,
    ]);
  });
});

describe('the address of a tool server (MCP-3)', () => {
  it.each([
    'http://tools.example.com/mcp',
    'https://127.0.0.1/mcp',
    'https://localhost/mcp',
    'https://169.254.169.254/latest',
    'https://10.0.0.7/mcp',
    'https://[fd00::1]/mcp',
    'https://user:pw@tools.example.com/mcp',
    'https://tools.example.com/mcp?key=1#part',
    'http://127.0.0.1:10/mcp',
  ])('cannot be %s', async (url) => {
    const { accessToken: token } = await people.register();
    const { id } = await add(token);
    const answer = await call('PATCH', `${PATH}/${id}`, token, { url });
    expect([answer.status, answer.body.detail?.code, answer.body.detail?.field]).toEqual([
      422,
      'invalid_base_url',
      'url',
    ]);
    expect(answer.body.detail?.message).toMatch(/^url /);
  });

  it('can have an origin that the operator has allowed', async () => {
    const { accessToken: token } = await people.register();
    expect((await add(token, { url: `${LOCAL}/mcp` })).url).toBe(`${LOCAL}/mcp`);
  });

  it.each(['https://tools.example.com/mcp/', 'https://tools.example.com', 'https://tools.example.com/'])(
    'is stored as it was sent: %s (MCP-3)',
    async (url) => {
      const { accessToken: token } = await people.register();
      expect((await add(token, { url })).url).toBe(url);
    },
  );

  it('can be changed only by removing its trailing slash', async () => {
    const { accessToken: token } = await people.register();
    const { id } = await add(token, { url: 'https://tools.example.com/mcp/' });
    expect((await done('PATCH', `${PATH}/${id}`, token, { url: GITHUB.url })).url).toBe(GITHUB.url);
  });
});

describe('the headers of a tool server (MCP-4)', () => {
  it('cannot be read anywhere: not in a response and not in the database, including the audit log', async () => {
    const { accessToken: token } = await people.register();
    const server = await add(token, { headers: { Authorization: `Bearer ${KEY}` } });
    expect(server.has_headers).toBe(true);
    const changed = await done('PATCH', `${PATH}/${server.id}`, token, { headers: { 'X-Key': KEY } });
    const seen = [server, changed, await done('GET', `${PATH}/${server.id}`, token), await people.readAudit(token)];
    expect(JSON.stringify(seen)).not.toContain(KEY);
    expect(await findInDatabase(people.gateway().database.url, KEY)).toEqual([]);
  });

  it('are deleted by null, by an empty object, and when the server moves to another origin', async () => {
    const { accessToken: token } = await people.register();
    const path = `${PATH}/${(await add(token)).id}`;
    for (const change of [{ headers: null }, { headers: {} }, { url: 'https://other.example.com/mcp' }]) {
      await done('PATCH', path, token, { ...GITHUB, headers: { 'X-Key': KEY } });
      const moved = await done('PATCH', path, token, { url: 'https://tools.example.com/v2' });
      expect(moved.has_headers).toBe(true);
      expect((await done('PATCH', path, token, change)).has_headers).toBe(false);
    }
  });
});

describe('a tool server that is a program (MCP-11)', () => {
  const PROGRAM = {
    name: 'files',
    transport: 'stdio',
    command: { command: 'npx', args: ['-y', 'server'], env: { TOKEN: KEY } },
  };

  it('can be created only by owners and admins, and never shows the values of its variables', async () => {
    const { accessToken: token } = await people.register();
    const { id, ...server } = await done('POST', PATH, token, PROGRAM);
    const command = { command: 'npx', args: ['-y', 'server'], env_names: ['TOKEN'], network_allow: [] };
    expect(server).toMatchObject({ transport: 'stdio', url: 'stdio:npx', has_headers: false, command });
    const path = `${PATH}/${String(id)}`;
    for (const command of [
      { command: 'npx', env: { TOKEN: 'Bearer {{secret.TOKEN}}' } },
      { command: 'npx', args: ['--key={{ secret.TOKEN }}'] },
    ])
      expect(await refused('POST', PATH, token, { ...PROGRAM, name: 'more', command })).toEqual([
        ...[422, 'invalid_request', 'command'],
      ]);
    const other = { command: 'uvx', args: [], network_allow: ['api.example.com'] };
    expect(await done('PATCH', path, token, { command: other })).toMatchObject({
      url: 'stdio:uvx',
      command: { ...other, env_names: [] },
    });
    expect(await done('PATCH', path, token, { enabled: false })).toMatchObject({
      command: { ...other, env_names: [] },
    });
    const viewer = await people.add(token, 'viewer');
    expect((await call('GET', path, viewer.token)).body).toMatchObject({ url: 'stdio:uvx', command: null });
    const seen = [server, await people.readAudit(token)];
    expect(JSON.stringify(seen)).not.toContain(KEY);
    expect(await findInDatabase(people.gateway().database.url, KEY)).toEqual([]);
    const { body: role } = await call('POST', '/roles', token, {
      name: 'policies',
      permissions: ['manage_policies', 'view_policies'],
    });
    const keeper = await people.add(token, String(role.name));
    expect(await refused('POST', PATH, keeper.token, { ...PROGRAM, name: 'more' })).toEqual([
      403,
      'permission_denied',
      undefined,
    ]);
    expect(await refused('PATCH', path, keeper.token, { command: other })).toEqual([
      403,
      'permission_denied',
      undefined,
    ]);
    expect((await call('POST', `${path}/oauth/connect`, token, {})).status).toBe(422);
    expect((await call('GET', `${path}/log`, token)).status).toBe(502);
    expect((await call('GET', `${path}/log`, viewer.token)).status).toBe(403);
    await done('PATCH', path, token, { enabled: true });
    expect(await done('POST', `${path}/refresh`, token)).toMatchObject({ status: 'failing' });
  });

  it.each([
    ['command', { command: undefined }],
    ['command', { transport: 'streamable_http' }],
    ['command', { command: { command: ' ' } }],
    ['command', { command: { command: 'x', env: { PATH: '/evil' } } }],
    ['command', { command: { command: 'x', env: { LD_PRELOAD: '/evil' } } }],
    ['command', { command: { command: 'x', env: { 'A B': '1' } } }],
    ['command', { command: { command: 'x', args: ['y'.repeat(8000), 'y'.repeat(8000), 'y'.repeat(8000)] } }],
    ['command', { command: { command: 'x', network_allow: ['https://x'] } }],
    ['url', { url: 'https://tools.example.com/mcp' }],
    ['headers', { headers: { 'X-Key': 'x' } }],
  ])('is refused for an invalid %s: %j', async (field, fields) => {
    const { accessToken: token } = await people.register();
    expect(await refused('POST', PATH, token, { ...PROGRAM, ...fields })).toEqual([422, 'invalid_request', field]);
  });

  it('cannot become a server over HTTP, or vice versa', async () => {
    const { accessToken: token } = await people.register();
    const { id } = await done('POST', PATH, token, PROGRAM);
    const { id: web } = await add(token);
    expect(await refused('PATCH', `${PATH}/${String(id)}`, token, { url: GITHUB.url })).toEqual([
      422,
      'invalid_request',
      'url',
    ]);
    expect(await refused('PATCH', `${PATH}/${web}`, token, { command: PROGRAM.command })).toEqual([
      422,
      'invalid_request',
      'command',
    ]);
    expect((await call('GET', `${PATH}/${web}/log`, token)).status).toBe(404);
  });
});

describe('a deployment that does not run programs (MCP-11)', () => {
  const plain = usePeople();

  it('does not accept such a tool server', async () => {
    const { accessToken: token } = await plain.register();
    const body = { name: 'files', transport: 'stdio', command: { command: 'npx' } };
    const answer = await plain.call('POST', PATH, token, body);
    expect([answer.status, answer.body.detail.message]).toEqual([422, expect.stringContaining('TOOL_SERVER_HOST_URL')]);
  });
});
