import { eventually } from '@steward/testing';
import { MCP_CLIENTS, type McpClient } from '../../../testing/mcp-tests.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';
import { text, tool } from '../../../testing/start-upstream-host.ts';

const servers = useToolServers({});
const { approvals, connect } = servers;
const CAPABILITIES = {
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
};
function offers() {
  const subscribed: unknown[] = [];
  return {
    subscribed,
    capabilities: CAPABILITIES,
    answer({ method, params }: { method: string; params: Readonly<Record<string, unknown>> }) {
      if (method === 'resources/subscribe') subscribed.push(params['uri']);
      return { resources: [], resourceTemplates: [], prompts: [] };
    },
  };
}
const GO = tool('go', () => text('ok'));
const [UPDATED, TOOLS, PROMPTS, RESOURCES] = [
  'notifications/resources/updated',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
];

function hear(client: McpClient): [string, unknown][] {
  const heard: [string, unknown][] = [];
  client.onNotification((method, { uri }) => heard.push([method, uri]));
  return heard;
}

describe.each(MCP_CLIENTS)('an MCP client (%s) with a subscription (TOOL-31)', (kind) => {
  it.each([true, false])(
    'is notified of changes at a server, whether or not it uses sessions (sessions: %s)',
    async (keepsSessions) => {
      const said = offers();
      const one = await servers.add('one', [GO], {}, { keepsSessions, offers: said });
      const two = await servers.add('two', [GO], {}, { offers: offers() });
      const client = await connect(kind);
      const heard = hear(client);
      await client.listen(['mcp+one+a://b']);
      // A stream is open at the server some time after it is open at the gateway.
      await eventually(() => {
        one.tell(UPDATED, { uri: 'a://b' });
        one.tell(UPDATED, { uri: 'a://c' });
        two.tell(UPDATED, { uri: 'a://b' });
        return Promise.resolve(heard.length > 0);
      });
      expect(new Set(heard.map((each) => JSON.stringify(each)))).toEqual(
        new Set([JSON.stringify([UPDATED, 'mcp+one+a://b'])]),
      );
      const has = (method: string) => heard.some(([each]) => each === method);
      await eventually(() => {
        two.tell(PROMPTS);
        one.tell(RESOURCES);
        return Promise.resolve(has(PROMPTS) && has(RESOURCES));
      });
      heard.length = 0;
      one.tools.push(tool('further', () => text('ok')));
      await servers.refresh(one);
      await eventually(() => Promise.resolve(has(TOOLS)));
      heard.length = 0;
      await servers.add('three', [GO]);
      await eventually(() => Promise.resolve(has(TOOLS) && has(PROMPTS) && has(RESOURCES)));
    },
  );
});

describe('a stream of change notifications', () => {
  const open = (token: string, headers: Record<string, string> = {}) =>
    fetch(`${approvals.people.gateway().url}/mcp/v1`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    });

  it('ends when its caller is stopped, and cannot be opened after that (TOOL-31)', async () => {
    const token = await approvals.addAgent();
    const stream = await open(token);
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const ended = stream.text();
    expect(
      (await approvals.call('PUT', '/account/kill-switch', { engaged: true, reason: 'drill' })).status,
    ).toBeLessThan(300);
    // Notifications are checked before they are sent.
    await servers.add('one', [GO]).catch(() => undefined);
    expect(await ended).not.toContain('list_changed');
    expect((await open(token)).status).toBe(403);
  });

  it.each(['GET', 'POST'])('does not delay the shutdown of a process (%s)', async (method) => {
    const twin = await approvals.people.gateway().startTwin();
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const stream = await fetch(`${twin.url}/mcp/v1`, {
      method,
      headers: {
        authorization: `Bearer ${approvals.owner().accessToken}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(listen) }),
    });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const ended = stream.text();
    await twin.close();
    await ended;
  });

  it('can be opened by users who may call tools, only from the same origin, and requires a stream media type', async () => {
    const { accessToken: token } = approvals.owner();
    expect((await open(token, { accept: 'application/json' })).status).toBe(405);
    expect((await open(token, { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await open(approvals.dana().token)).status).toBe(403);
    expect((await open('none')).status).toBe(401);
  });

  it('covers at most a hundred resources per session, and only those of the session (LIM-84)', async () => {
    const { accessToken: token } = approvals.owner();
    const ask = (uri: string, session: string | undefined, method = 'resources/subscribe') =>
      fetch(`${approvals.people.gateway().url}/mcp/v1`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { uri } }),
      }).then((answer) => answer.text());
    expect(await ask('a://b', undefined)).toContain('A subscription belongs to a session');
    for (let index = 0; index < 100; index += 1) expect(await ask(`a://${index}`, 'one')).toContain('"result":{}');
    expect(await ask('a://100', 'one')).toContain('maximum number of subscriptions');
    expect(await ask('a://1', 'one')).toContain('"result":{}');
    expect(await ask('a://100', 'two')).toContain('"result":{}');
    await ask('a://1', 'one', 'resources/unsubscribe');
    expect(await ask('a://100', 'one')).toContain('"result":{}');
    await approvals.people.query(
      `insert into tool_servers.subscription (account_id, listener, uri, created_at)
        select $1, decode(md5(n::text), 'hex'), 'a://b', now() from generate_series(1, 9899) n`,
      [approvals.owner().accountId],
    );
    expect(await ask('a://b', 'three')).toContain('maximum number of subscriptions');
  });
});
