import { once } from 'node:events';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { FRESH_FOR_MS } from '@steward/contracts';
import { connectMcp } from '../../../testing/mcp-tests.ts';
import { text as answer, tool } from '../../../testing/start-upstream-host.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';

const servers = useToolServers();
const { approvals } = servers;
const DENY = JSON.stringify({
  version: '1',
  rules: [{ id: 'closed', description: 'The lab is closed.', match: { tools: ['lab/*'] }, action: 'deny' }],
});
const ALLOW = JSON.stringify({ version: '1', rules: [] });
const apply = async (document: string) => {
  const { status } = await approvals.call('POST', '/policies/apply', JSON.parse(document) as object);
  expect(status).toBe(201);
};
const CHECK = { path: '/api/v1/agents/permission-check', body: { tool_name: 'mix', server: 'lab', arguments: {} } };
const CALL = {
  path: '/mcp/v1',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'lab__mix', arguments: {} } },
};

it('changes to policies, tools and key names are effective in every process (POL-12)', async () => {
  const lab = await servers.add('lab', [tool('mix', () => answer('mixed'))]);
  const created = await approvals.call('POST', '/auth/api-keys', { name: 'blender' });
  const { id: keyId, key } = created.body as { readonly id: string; readonly key: string };
  const twin = await approvals.people.gateway().startTwin();
  const client = await connectMcp(twin.url, key);
  const check = async () => (await twin.call('POST', CHECK.path, { token: key, body: CHECK.body })).body.decision;
  const mix = async () => (await client.call('lab__mix')).content[0]?.text;
  try {
    for (let round = 0; round < 3; round += 1) {
      expect([await mix(), await check()]).toEqual(['mixed', 'allow']);
      await apply(DENY);
      expect([await mix(), await check()]).toEqual(['Denied by policy: The lab is closed.', 'deny']);
      await apply(ALLOW);
    }
    await approvals.call('PATCH', `/mcp-servers/${lab.id}`, { enabled: false });
    await expect(mix()).rejects.toThrow('Unknown tool');
    await approvals.call('PATCH', `/mcp-servers/${lab.id}`, { enabled: true });
    expect(await mix()).toBe('mixed');
    await apply(DENY.replace('"match":{', '"match":{"api_keys":["mixer"],'));
    expect([await mix(), await check()]).toEqual(['mixed', 'allow']);
    expect((await approvals.call('PATCH', `/auth/api-keys/${keyId}`, { name: 'mixer' })).status).toBe(200);
    expect([await mix(), await check()]).toEqual(['Denied by policy: The lab is closed.', 'deny']);
  } finally {
    await client.close();
    await twin.close();
  }
});

describe.each([
  ['a permission check', CHECK, '"decision":"deny"'],
  ['a tool call', CALL, 'Denied by policy: The lab is closed.'],
])('%s whose body is sent slowly', (_what, { path, body }, denial) => {
  it('is decided according to the policy that is current when the body is complete (POL-34)', async () => {
    await servers.add('lab', [tool('mix', () => answer('mixed'))]);
    const [begin, end] = splitBody(JSON.stringify(body));
    const sending = open(path);
    sending.write(begin);
    // Another request of the same credential was answered, so that this one has been authenticated long ago.
    await waitFor(FRESH_FOR_MS * 2, () => approvals.call('GET', '/policies'));
    await apply(DENY);
    sending.end(end);
    const [response] = (await once(sending, 'response')) as [NodeJS.ReadableStream];
    expect(await text(response)).toContain(denial);
  });
});

function open(path: string): ClientRequest {
  const sending = httpRequest(new URL(path, approvals.people.gateway().url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${approvals.owner().accessToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
  sending.flushHeaders();
  return sending;
}

function splitBody(whole: string): [string, string] {
  return [whole.slice(0, 10), whole.slice(10)];
}

/** Repeats the work until this time has passed. */
async function waitFor(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + milliseconds;
  do await work();
  while (performance.now() < until);
}
