import { eventually } from '@steward/testing';
import { MCP_CLIENTS } from '../../../testing/mcp-tests.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';
import { text, tool, type UpstreamOffers } from '../../../testing/start-upstream-host.ts';

const servers = useToolServers();
const { approvals, connect } = servers;

const CAPABILITIES = { resources: {}, prompts: {}, completions: {}, logging: {} };
/** Returns the resources and prompts of a server; all these servers have the same URIs and names. */
function offering(name: string, asked: { method: string; params: object }[] = []): UpstreamOffers {
  const answers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => object>> = {
    'resources/list': () => ({ resources: [{ uri: 'file:///README.md', name: 'readme', size: 9007199254740993n }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'issue://{id}', name: 'issue' }] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: `${name} ${String(uri)}` }] }),
    'prompts/list': () => ({ prompts: [{ name: 'review', arguments: [{ name: 'path', required: true }] }] }),
    'prompts/get': ({ arguments: args }) => ({
      description: 'A review.',
      messages: [{ role: 'user', content: { type: 'text', text: `${name} ${JSON.stringify(args)}` } }],
    }),
    'completion/complete': ({ ref }) => ({ completion: { values: [name, JSON.stringify(ref)], total: 2 } }),
    'logging/setLevel': () => ({}),
  };
  return {
    capabilities: CAPABILITIES,
    async answer({ method, params, log }) {
      asked.push({ method, params });
      const answer = answers[method];
      if (answer === undefined) throw new Error(`no method ${method}`);
      if (method === 'resources/read') {
        await log('debug', 'looks');
        await log('warning', { what: 'old' });
      }
      return JSON.parse(
        JSON.stringify(answer(params), (_key, value: unknown) => (typeof value === 'bigint' ? 1 : value)),
      ) as object;
    },
  };
}
const texts = (answer: Record<string, unknown>) =>
  (answer['contents'] as { uri: string; text: string }[]).map(({ uri, text: said }) => [uri, said]);

describe.each(MCP_CLIENTS)('server features other than tools, for an MCP client (%s) (TOOL-26)', (kind) => {
  it.each([false, true])(
    'are distinguished if two servers have the same feature, and each is found by its qualified name (sessions: %s)',
    async (keepsSessions) => {
      await servers.add('one', [tool('go', () => text('ok'))], {}, { keepsSessions, offers: offering('one') });
      await servers.add('two', [tool('go', () => text('ok'))], {}, { keepsSessions, offers: offering('two') });
      await servers.add('none', [tool('go', () => text('ok'))]);
      const client = await connect(kind);
      const { resources } = await client.ask('resources/list');
      expect((resources as { uri: string }[]).map(({ uri }) => uri)).toEqual([
        'mcp+one+file:///README.md',
        'mcp+two+file:///README.md',
      ]);
      const { resourceTemplates } = await client.ask('resources/templates/list');
      expect(resourceTemplates).toMatchObject([
        { uriTemplate: 'mcp+one+issue://{id}' },
        { uriTemplate: 'mcp+two+issue://{id}' },
      ]);
      const { prompts } = await client.ask('prompts/list');
      expect(prompts).toMatchObject([{ name: 'one__review', arguments: [{ name: 'path' }] }, { name: 'two__review' }]);

      expect(texts(await client.ask('resources/read', { uri: 'mcp+two+file:///README.md' }))).toEqual([
        ['mcp+two+file:///README.md', 'two file:///README.md'],
      ]);
      expect(texts(await client.ask('resources/read', { uri: 'mcp+one+issue://7' }))).toEqual([
        ['mcp+one+issue://7', 'one issue://7'],
      ]);
      await expect(client.ask('resources/read', { uri: 'issue://7' })).rejects.toThrow(
        /mcp\+one\+issue:\/\/7 or mcp\+two\+issue:\/\/7/,
      );
      await expect(client.ask('resources/read', { uri: 'other://7' })).rejects.toThrow(/Several servers/);
      expect(await client.ask('prompts/get', { name: 'two__review', arguments: { path: 'a' } })).toMatchObject({
        description: 'A review.',
        messages: [{ role: 'user', content: { type: 'text', text: 'two {"path":"a"}' } }],
      });
      await expect(client.ask('prompts/get', { name: 'nobodys' })).rejects.toThrow(/Unknown prompt: nobodys/);
      const argument = { name: 'id', value: '1' };
      expect(
        await client.ask('completion/complete', {
          ref: { type: 'ref/resource', uri: 'mcp+two+issue://{id}' },
          argument,
        }),
      ).toMatchObject({
        completion: { values: ['two', '{"type":"ref/resource","uri":"issue://{id}"}'], total: 2 },
      });
      expect(
        await client.ask('completion/complete', { ref: { type: 'ref/prompt', name: 'one__review' }, argument }),
      ).toMatchObject({
        completion: { values: ['one', '{"type":"ref/prompt","name":"review"}'] },
      });
    },
  );

  it('are found by their own name if only one server has them', async () => {
    await servers.add('one', [tool('go', () => text('ok'))], {}, { offers: offering('one') });
    const client = await connect(kind);
    expect(texts(await client.ask('resources/read', { uri: 'issue://7' }))).toEqual([['issue://7', 'one issue://7']]);
    expect(await client.ask('prompts/get', { name: 'review' })).toMatchObject({ description: 'A review.' });
  });

  it('return server errors unchanged, and report a server that is unavailable', async () => {
    const broken = await servers.add(
      'one',
      [tool('go', () => text('ok'))],
      {},
      {
        offers: {
          capabilities: CAPABILITIES,
          answer: ({ method }) => {
            if (method === 'resources/read') throw Object.assign(new Error('no such file'), { code: -32_002 });
            return { resources: [] };
          },
        },
      },
    );
    const client = await connect(kind);
    await expect(client.ask('resources/read', { uri: 'mcp+one+x://y' })).rejects.toThrow(/no such file/);
    broken.goDown();
    await expect(client.ask('resources/read', { uri: 'mcp+one+x://y' })).rejects.toThrow(/one cannot be used/);
    expect(await client.ask('prompts/list')).toMatchObject({ prompts: [] });
  });

  it('include the log messages of their server, at or above the level that the client requests (TOOL-28)', async () => {
    await servers.add('one', [tool('go', () => text('ok'))], {}, { keepsSessions: true, offers: offering('one') });
    const client = await connect(kind);
    const heard: unknown[] = [];
    client.onNotification((method, { level, data }) => heard.push([method, level, data]));
    const meta = kind === 'second, 2026' ? { 'io.modelcontextprotocol/logLevel': 'info' } : undefined;
    if (meta === undefined) await client.ask('logging/setLevel', { level: 'info' });
    await client.ask('resources/read', { uri: 'mcp+one+a://b' }, meta === undefined ? {} : { meta });
    await eventually(() => Promise.resolve(heard.length > 0));
    expect(heard).toEqual([['notifications/message', 'warning', { what: 'old' }]]);
  });
});

describe('a server feature other than a tool', () => {
  const policy = (action: string, match: string) =>
    approvals.apply(
      `version: "1"\nrules:\n  - { id: files, description: No files, match: { tools: ["${match}"] }, action: ${action} }\n`,
    );

  it('is not listed, completed or returned if the policy denies it, and each read is recorded (TOOL-26)', async () => {
    await servers.add('one', [tool('go', () => text('ok'))], {}, { offers: offering('one') });
    expect((await policy('deny', 'one/resources:read')).body.warnings ?? []).toEqual([]);
    const client = await connect();
    expect(await client.ask('resources/list')).toMatchObject({ resources: [] });
    expect(await client.ask('prompts/list')).toMatchObject({ prompts: [{ name: 'one__review' }] });
    await expect(client.ask('resources/read', { uri: 'mcp+one+a://b' })).rejects.toThrow(/Denied by policy: No files/);
    await client.ask('prompts/get', { name: 'one__review', arguments: {} });
    const rows = async () =>
      (await approvals.people.readAudit(approvals.owner().accessToken)).filter(
        ({ resource_type: type }) => type === 'tool',
      );
    await eventually(async () => (await rows()).length === 2);
    expect((await rows()).map(({ status, details }) => ({ status, ...details }))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          status: 'denied',
          server: 'one',
          tool: 'resources:read',
          decision: 'denied',
          rule_id: 'files',
        }),
        expect.objectContaining({ status: 'success', server: 'one', tool: 'prompts:get', decision: 'allowed' }),
      ]) as unknown,
    );
  });

  it('waits for people if the policy requires it, and is returned after approval', async () => {
    await approvals.call('POST', '/approval-workflows', { name: 'w', approval_wait_seconds: 0, is_default: true });
    const asked: { method: string; params: object }[] = [];
    await servers.add('one', [tool('go', () => text('ok'))], {}, { offers: offering('one', asked) });
    await policy('require_approval', 'one/*');
    const client = await connect();
    for (const [method, params, answered] of [
      ['resources/read', { uri: 'mcp+one+a://b' }, { contents: [{ uri: 'mcp+one+a://b', text: 'one a://b' }] }],
      [
        'prompts/get',
        { name: 'one__review', arguments: { path: 'x' } },
        { messages: [{ content: { text: 'one {"path":"x"}' } }] },
      ],
    ] as const) {
      await expect(client.ask(method, params)).rejects.toThrow(/is waiting for approval/);
      const [request] = (await approvals.call('GET', '/approval-requests?status=pending')).body.items;
      expect(request).toMatchObject({ server: 'one', tool_name: method.replace('/', ':') });
      expect(asked.filter((each) => each.method === method)).toEqual([]);
      await approvals.decide(request.id, 'approve');
      expect(await client.ask(method, params)).toMatchObject(answered);
      expect(asked.filter((each) => each.method === method)).toHaveLength(1);
      const status = await client.call('get_approval_status', { approval_request_id: request.id });
      expect(status.isError).not.toBe(true);
      expect(JSON.stringify(status.content)).toContain('one ');
    }
  });
});
