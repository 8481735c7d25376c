import { eventually } from '@steward/testing';
import { usePeople } from '../../../testing/people-tests.ts';
import {
  startUpstreamHost,
  text,
  tool,
  type UpstreamServer,
  type UpstreamTool,
} from '../../../testing/start-upstream-host.ts';

let host: Awaited<ReturnType<typeof startUpstreamHost>>;
let stopped: typeof host;
let started: UpstreamServer;
beforeAll(async () => {
  [host, stopped] = await Promise.all([startUpstreamHost(), startUpstreamHost()]);
  started = host.add([]);
  await stopped.close();
});
afterAll(() => host.close());
const server = (): UpstreamServer => started;
const offer = (...tools: UpstreamTool[]): void => void server().tools.splice(0, Infinity, ...tools);
const people = usePeople(() => ({ MCP_ALLOW_INSECURE_URLS: `${host.origin},${stopped.origin}` }));
const { call } = people;

const named = (name: string, more: Partial<UpstreamTool> = {}) => tool(name, () => text('ok'), more);
const definitionOf = ({ run: _run, ...definition }: UpstreamTool) => definition;
const READ = named('read_file', { description: 'Reads a file.', annotations: { readOnlyHint: true } });
const WRITE = named('write_file');

/** Creates an account with a newly added server. */
async function add(fields: object = {}) {
  const { accessToken: token } = await people.register();
  const answer = await call('POST', '/mcp-servers', token, { name: 'files', url: server().url, ...fields });
  expect(answer.status).toBe(201);
  const path = `/mcp-servers/${answer.body.id as string}`;
  const get = async (more = '') => (await call('GET', `${path}${more}`, token)).body;
  // Waits for the background refresh after each save, whose result must not be stored after that of a later refresh.
  await eventually(async () => (await get()).status !== 'unknown');
  const refresh = async () => (await call('POST', `${path}/refresh`, token)).body;
  return { token, path, server: answer.body, get, refresh };
}
const names = (body: Record<string, unknown>): string[] =>
  (body['items'] as { name: string }[]).map(({ name }) => name);

beforeEach(() => {
  server().fail(undefined);
  offer(READ, WRITE);
});

describe('the tool list of a server (MCP-5)', () => {
  it('is requested when the server is added, by any process, and lists the tools by name as the server describes them', async () => {
    const { server: added, get } = await add();
    expect(added).toMatchObject({ status: 'unknown', tools_count: 0, tools_seen_at: null, last_error: null });
    await eventually(async () => (await get()).status === 'ok');
    expect(await get()).toMatchObject({
      tools_count: 2,
      tools_seen_at: expect.any(String) as unknown,
      last_error: null,
    });
    const tools = await get('/tools');
    expect(names(tools)).toEqual(['read_file', 'write_file']);
    expect((tools['items'] as unknown[])[0]).toMatchObject({
      definition: definitionOf(READ),
      changed: false,
      accepted_definition: null,
      definition_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    });
  });

  it('is returned in pages', async () => {
    const { get, refresh } = await add();
    offer(...Array.from({ length: 5 }, (_, index) => named(`t${index}`)));
    await refresh();
    const first = await get('/tools?limit=3');
    expect(names(first)).toEqual(['t0', 't1', 't2']);
    const rest = await get(`/tools?limit=3&cursor=${first['next_cursor'] as string}`);
    expect([names(rest), rest['next_cursor']]).toEqual([['t3', 't4'], null]);
  });

  it.each([
    ['returns an error', () => server().fail(503), /^The tool server files cannot be used: the response was 503\.$/],
    [
      'requires a credential',
      () => server().fail(401),
      /^The tool server files cannot be used: the response was 401: the server requires a key .*OAuth\)\.$/,
    ],
  ])('remains unchanged while the server %s, and its error is described by Steward', async (_what, breakIt, error) => {
    const { get, refresh } = await add();
    await refresh();
    breakIt();
    const failing = await refresh();
    expect(failing).toMatchObject({ status: 'failing', tools_count: 2 });
    expect(failing['last_error']).toMatch(error);
    expect(names(await get('/tools'))).toHaveLength(2);
    server().fail(undefined);
    expect(await refresh()).toMatchObject({ status: 'ok', last_error: null });
  });

  it('results in a 404 for an unknown server', async () => {
    const { refresh } = await add({ url: `${stopped.origin}/mcp` });
    expect(await refresh()).toMatchObject({
      status: 'failing',
      last_error: 'The tool server files cannot be used: the connection was refused.',
      tools_count: 0,
    });
  });

  it('is requested with the headers of the server, and without Steward’s credentials', async () => {
    // Uses a separate server, which no other process refreshes: the gateways of other tests refresh the shared one some
    // time after it was added.
    const own = host.add([READ]);
    const { refresh, token } = await add({ url: own.url, headers: { 'X-Own-Key': 'tools-only' } });
    await refresh();
    const sent = own.received;
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.every((headers) => headers['x-own-key'] === 'tools-only')).toBe(true);
    expect(JSON.stringify(sent)).not.toContain(token);
  });

  it('is not visible to other accounts', async () => {
    const { path } = await add();
    const { accessToken: stranger } = await people.register();
    for (const [method, more] of [
      ['GET', '/tools'],
      ['POST', '/refresh'],
      ['POST', '/tools/read_file/accept'],
    ] as const)
      expect([more, (await call(method, `${path}${more}`, stranger)).status]).toEqual([more, 404]);
  });
});

describe('a changed tool (MCP-6)', () => {
  const changed = named('read_file', { description: 'Reads a file and sends it away.' });
  const find = async (get: (more: string) => Promise<Record<string, unknown>>, name: string) =>
    ((await get('/tools'))['items'] as Record<string, unknown>[]).find((item) => item['name'] === name);

  it('is marked, with the accepted version, until somebody accepts the new version', async () => {
    const { get, refresh, path, token } = await add();
    await refresh();
    offer(changed, WRITE);
    await refresh();
    const seen = await find(get, 'read_file');
    expect(seen).toMatchObject({
      changed: true,
      definition: definitionOf(changed),
      accepted_definition: definitionOf(READ),
    });
    expect(await find(get, 'write_file')).toMatchObject({ changed: false });
    const accepted = await call('POST', `${path}/tools/read_file/accept`, token, {
      definition_hash: seen?.['definition_hash'],
    });
    expect([accepted.status, accepted.body]).toMatchObject([200, { changed: false, accepted_definition: null }]);
    expect(await find(get, 'read_file')).toMatchObject({ changed: false });
  });

  it('is accepted only if it is the version that was reviewed', async () => {
    const { refresh, path, token, get } = await add();
    await refresh();
    const { definition_hash } = (await find(get, 'read_file')) ?? {};
    offer(changed);
    await refresh();
    const answer = await call('POST', `${path}/tools/read_file/accept`, token, { definition_hash });
    expect([answer.status, answer.body.detail?.code]).toEqual([409, 'conflict']);
    expect(await find(get, 'read_file')).toMatchObject({ changed: true });
    expect((await call('POST', `${path}/tools/nope/accept`, token)).status).toBe(404);
  });

  it('is still marked if it was temporarily missing', async () => {
    const { refresh, get } = await add();
    await refresh();
    offer();
    expect(await refresh()).toMatchObject({ tools_count: 0 });
    offer(changed);
    await refresh();
    expect(await find(get, 'read_file')).toMatchObject({ changed: true });
    offer(READ);
    await refresh();
    expect(await find(get, 'read_file')).toMatchObject({ changed: false });
  });
});
