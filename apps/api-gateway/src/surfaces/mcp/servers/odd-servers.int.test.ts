import {
  eventually,
  sendEvents,
  sendJson,
  startRawToolServer,
  type RawToolAnswer,
  type RawToolServer,
} from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';
import { connectMcp, MCP_CLIENTS } from '../../../testing/mcp-tests.ts';

const environment: Record<string, string> = {};
let server: RawToolServer;
let listed = '';
let run: RawToolAnswer;
beforeAll(async () => {
  server = await startRawToolServer({
    answer(request, response) {
      if (request.method === 'tools/call') run(request, response);
      else sendJson(response, `{"jsonrpc":"2.0","id":${request.id},"result":{"tools":[${listed}]}}`);
    },
    answerUnknown: (_request, response) => sendJson(response, 'Bad Request: No valid session ID provided', 400),
  });
  environment['MCP_ALLOW_INSECURE_URLS'] = new URL(server.url).origin;
});
const approvals = useApprovals(environment);
afterAll(() => server.close());

const answer =
  (result: string): RawToolAnswer =>
  ({ id }, response) =>
    sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
const GO = '{"name":"go","inputSchema":{"type":"object"}}';
beforeEach(() => {
  listed = GO;
  run = answer('{"content":[]}');
  server.requests.length = 0;
});

async function add(): Promise<{ id: string; last_error: string | null; status: string }> {
  const { body } = await approvals.call('POST', '/mcp-servers', { name: 'raw', url: server.url });
  const refreshed = await approvals.call('POST', `/mcp-servers/${String(body.id)}/refresh`);
  return refreshed.body as never;
}

/** Sends a message unchanged, and returns the raw response. */
async function send(method: string, params: string): Promise<string> {
  const response = await fetch(`${approvals.people.gateway().url}/mcp/v1`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${approvals.owner().accessToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
  });
  return response.text();
}
const call = (args: string) =>
  send('tools/call', `{"name":"raw__go","arguments":${args},"_meta":{"steward/wait_seconds":0}}`);
const sentArguments = () =>
  server.requests
    .filter(({ method }) => method === 'tools/call')
    .map(({ text }) => /"arguments":(.*?),"_meta"/.exec(text)?.[1]);

describe('tools as described by their server (TOOL-16)', () => {
  const odd =
    '{"name":"odd","inputSchema":{"properties":{"zz":{"minimum":0.0,"type":"number"},"a":true},"required":["zz"]},"description":null,"outputSchema":{"type":"array"}}';

  it('are listed in the server’s order, with its numbers unchanged, together with an invalid tool that is corrected (MCP-6)', async () => {
    const schema =
      '{"required":["b"],"type":"object","properties":{"zz":{"maximum":18446744073709551615,"minimum":0.0},"b":{}}}';
    listed = `{"inputSchema":${schema},"name":"go","annotations":{"title":"T"}},${odd},7`;
    expect(await add()).toMatchObject({ status: 'ok', last_error: 'a tool without a name is omitted' });
    const answered = await send('tools/list', '{}');
    expect(answered).toContain(`{"inputSchema":${schema},"name":"raw__go","annotations":{"title":"T"}}`);
    expect(answered).toContain(
      '{"name":"raw__odd","inputSchema":{"properties":{"zz":{"minimum":0.0,"type":"number"},"a":{}},"required":["zz"],"type":"object"}}',
    );
  });

  it.each(MCP_CLIENTS)('are accepted by a client, including the invalid tool: %s', async (kind) => {
    listed = `${odd},${GO}`;
    await add();
    run = answer(
      '{"content":[{"type":"text","text":"done 42"},{"type":"json","json":{"a":1}}],"structuredContent":[1]}',
    );
    const client = await connectMcp(approvals.people.gateway().url, approvals.owner().accessToken, { kind });
    const tools = await client.list();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['raw__go', 'raw__odd']));
    expect(JSON.stringify(tools).includes('outputSchema')).toBe(kind === 'second, 2026');
    const { content } = await client.call('raw__odd');
    expect(content.map(({ text }) => text)).toEqual([
      'done 42',
      expect.stringContaining('{"type":"json","json":{"a":1}}'),
      // Clients of the 2025 revisions only accept objects as structured content (TOOL-22).
      ...(kind === 'second, 2026' ? [] : ['[1]']),
    ]);
    await client.close();
  });
});

const NUMBERS = [
  '1917043659912705296',
  '-9223372036854775808',
  '18446744073709551615',
  '1e400',
  '-0',
  '1.0',
  '0.10000000000000000001',
];

describe('numbers in a call (TOOL-23)', () => {
  const apply = (rule: object, action: string) =>
    approvals.apply(
      JSON.stringify({
        version: '1',
        rules: [{ id: 'r', match: { tools: ['raw/go'] }, ...rule }],
        defaults: { action },
      }),
    );

  it.each(NUMBERS)('are sent to the server, and returned, as they were written: %s', async (source) => {
    await add();
    const data = `{"id":${source},"__proto__":{"x":[${source}]}}`;
    run = answer(`{"content":[],"structuredContent":${data}}`);
    expect(await call(data)).toContain(`"structuredContent":${data}`);
    expect(sentArguments()).toEqual([data]);
  });

  it.each(NUMBERS)('in the call that is made are those of the approved call: %s', async (source) => {
    await add();
    await apply({ action: 'require_approval' }, 'allow');
    run = answer(`{"content":[],"structuredContent":{"id":${source}}}`);
    const data = `{"id":${source}}`;
    const held = await call(data);
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(held)?.[0] ?? '';
    const neighbour = await call('{"id":1917043659912705297}');
    expect(neighbour).not.toContain(id);
    const lost = `{"call":{"name":"raw__go","arguments":${data}}}`;
    expect(await send('tools/call', `{"name":"get_approval_status","arguments":${lost}}`)).toContain(id);
    const shown = (await approvals.read(id)).arguments as { id: unknown };
    expect(String(shown.id)).toBe(['-0', '1.0'].includes(source) ? String(Number(source)) : source);
    await approvals.decide(id, 'approve');
    const done = await send('tools/call', `{"name":"get_approval_status","arguments":{"approval_request_id":"${id}"}}`);
    expect(done).toContain(`"structuredContent":{"id":${source}}`);
    const again = await send(
      'tools/call',
      `{"name":"get_approval_status","arguments":{"approval_request_id":"${id}"}}`,
    );
    expect(again).toContain(`"structuredContent":{"id":${source}}`);
    expect(sentArguments()).toEqual([data]);
  });

  it.each([
    ['1917043659912705297', 'args.id == 1917043659912705297', true],
    ['1917043659912705296', 'args.id == 1917043659912705297', false],
    ['1917043659912705297', 'args.id > 1917043659912705296', true],
    ['1.0', 'args.id == 1', true],
    ['-0', 'args.id == 0', true],
    ['1e400', 'args.id > 100', true],
    ['1e400', 'args.id < 100', true],
    ['18446744073709551615', 'args.id == 1', true],
    ['0.10000000000000000001', 'has(args.id) && args.id > 1.0', true],
  ])('are compared exactly in conditions, or make the conditions fail: %s, %s', async (source, condition, isDenied) => {
    await add();
    await apply({ condition, action: 'deny' }, 'allow');
    const answered = await call(`{"id":${source}}`);
    expect([answered.includes('Denied by policy'), sentArguments().length]).toEqual([isDenied, isDenied ? 0 : 1]);
  });
});

it('a server whose address has a query string is called with it, but shown without it (MCP-3)', async () => {
  const url = `${server.url}/with-query?apiKey=Canary-7261`;
  const { body } = await approvals.call('POST', '/mcp-servers', { name: 'raw', url });
  const path = `/mcp-servers/${String(body.id)}`;
  expect((await approvals.call('POST', `${path}/refresh`)).body).toMatchObject({ status: 'ok', url });
  await call('{}');
  // The servers of earlier tests may be asked for their tools again at any time, at their own addresses.
  const asked = server.requests.map((request) => request.url).filter((asked) => asked.startsWith('/mcp/with-query'));
  expect(new Set(asked)).toEqual(new Set(['/mcp/with-query?apiKey=Canary-7261']));
  expect(sentArguments()).toEqual(['{}']);
  expect((await approvals.call('GET', path, undefined, approvals.dana().token)).body.url).toMatch(/\/\[hidden\]$/);
  const logged = (await approvals.call('GET', '/audit-log?limit=200')).body;
  expect(JSON.stringify(logged)).not.toContain('Canary-7261');
});

it('a name with a dot is offered in the form that model APIs accept, while policies see the original (TOOL-15)', async () => {
  listed = '{"name":"files.read","inputSchema":{"type":"object"}}';
  await add();
  const [name = ''] = /raw__files_read_\w{8}/.exec(await send('tools/list', '{}')) ?? [];
  expect(await send('tools/call', `{"name":"${name}"}`)).toContain('"content":[]');
  expect(await send('tools/call', '{"name":"raw__files.read"}')).toContain('"content":[]');
  expect(server.requests.at(-1)?.params).toMatchObject({ name: 'files.read' });
  await approvals.apply(
    JSON.stringify({ version: '1', rules: [{ id: 'r', match: { tools: ['raw/files.read'] }, action: 'deny' }] }),
  );
  expect(await send('tools/call', `{"name":"${name}"}`)).toContain('Denied by policy');
  expect(await send('tools/list', '{}')).not.toContain('raw__files');
});

it('a server that reports changed tools soon receives a request for its list (MCP-7)', async () => {
  const { body } = await approvals.call('POST', '/mcp-servers', { name: 'raw', url: server.url });
  // After each save the server is refreshed; the next regular refresh comes in five minutes.
  await eventually(async () => (await approvals.call('GET', `/mcp-servers/${String(body.id)}`)).body.status === 'ok');
  listed = `${GO},{"name":"later","inputSchema":{"type":"object"}}`;
  run = ({ id }, response) =>
    sendEvents(
      response,
      `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\ndata: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n\n`,
    );
  await call('{}');
  await eventually(async () => (await send('tools/list', '{}')).includes('raw__later'));
});

it('a session with a restarted server is reopened, both for calls and for its list of tools (TOOL-24)', async () => {
  const { id } = await add();
  await call('{}');
  server.forget();
  run = answer('{"content":[{"type":"text","text":"ran"}]}');
  expect(await call('{}')).toContain('"text":"ran"');
  expect((await approvals.call('POST', `/mcp-servers/${id}/refresh`)).body).toMatchObject({ status: 'ok' });
});
