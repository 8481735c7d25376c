import { eventually } from '@steward/testing';
import { connectMcp, MCP_CLIENTS, type McpClient } from '../../../testing/mcp-tests.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';
import { text, tool } from '../../../testing/start-upstream-host.ts';

const servers = useToolServers();
const { approvals, connect } = servers;
const names = async (client: McpClient) => (await client.list()).map(({ name }) => name);
const BUILTIN = ['ask_operator', 'get_approval_status', 'search_sessions'];
const SCHEMA = { type: 'object' as const, properties: { a: { type: 'number', 'x-hint': 'kept' } }, required: ['a'] };

describe.each(MCP_CLIENTS)('tools of a server, for an MCP client (%s) (MC-2)', (kind) => {
  it('are listed as the server describes them, and return the server’s results (TOOL-16)', async () => {
    const more = {
      title: 'Adds',
      annotations: { readOnlyHint: true, title: 'Adds' },
      inputSchema: SCHEMA,
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } } } as const,
    };
    const structured = { content: [{ type: 'text' as const, text: '{"sum":3}' }], structuredContent: { sum: 3 } };
    await servers.add('math', [
      tool('add', () => structured, more),
      tool('fails', () => ({ ...text('Out of paper.'), isError: true })),
    ]);
    const client = await connect(kind);
    const listed = await client.list();
    expect(listed.map(({ name }) => name)).toEqual([...BUILTIN, 'math__add', 'math__fails'].sort());
    expect(listed.find(({ name }) => name === 'math__add')).toMatchObject({ ...more, description: 'The tool add.' });
    expect(await client.call('math__add', { a: 1 })).toMatchObject(structured);
    expect(await client.call('math__fails')).toMatchObject({ isError: true, content: [{ text: 'Out of paper.' }] });
  });

  it('report their progress, and are cancelled when their client cancels', async () => {
    let hasEnded = false;
    await servers.add('slow', [
      tool('work', async ({ report, signal }) => {
        await report(1, 'begun');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        hasEnded = true;
        return text('too late');
      }),
    ]);
    const client = await connect(kind);
    const giveUp = new AbortController();
    const seen: string[] = [];
    const answer = client
      .call('slow__work', {}, { signal: giveUp.signal, onprogress: ({ message }) => seen.push(message ?? '') })
      .catch(() => 'gone');
    await eventually(() => Promise.resolve(seen.includes('begun')));
    giveUp.abort();
    expect(await answer).toBe('gone');
    await eventually(() => Promise.resolve(hasEnded));
  });
});

describe('the result of a tool that calls itself a temporary refusal (TOOL-34)', () => {
  it('reaches the caller without that mark, so that nobody waits for another one', async () => {
    const _meta = { 'steward/may_repeat': true, 'example/kept': 1 };
    await servers.add('odd', [tool('forge', () => ({ ...text('down'), isError: true, _meta }))]);
    expect(await (await connect('second, 2026')).call('odd__forge')).toMatchObject({
      content: [{ text: 'down' }],
      _meta: { 'example/kept': 1 },
    });
    expect(await (await connect('second, 2026')).call('odd__forge')).not.toHaveProperty([
      '_meta',
      'steward/may_repeat',
    ]);
  });
});

describe('a client using an MCP revision before 2026 that cancels by a message (TOOL-17)', () => {
  it('ends its own call at the server, but no calls of other clients', async () => {
    const ended: unknown[] = [];
    let begun = 0;
    await servers.add('slow', [
      tool('work', async ({ arguments: { name }, signal }) => {
        begun += 1;
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        ended.push(name);
        return text('too late');
      }),
    ]);
    const post = (body: object, session?: string | null, signal: AbortSignal = new AbortController().signal) =>
      fetch(`${approvals.people.gateway().url}/mcp/v1`, {
        method: 'POST',
        signal,
        headers: {
          authorization: `Bearer ${approvals.owner().accessToken}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(typeof session === 'string' ? { 'mcp-session-id': session } : {}),
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const begin = async () => (await post({ id: 0, method: 'initialize', params })).headers.get('mcp-session-id');
    const sessions = [await begin(), await begin()];
    expect(new Set(sessions).size).toBe(2);
    const leave = new AbortController();
    const calls = sessions.map((session, index) =>
      post(
        { id: 7, method: 'tools/call', params: { name: 'slow__work', arguments: { name: index } } },
        session,
        leave.signal,
      ).catch(() => undefined),
    );
    await eventually(() => Promise.resolve(begun === 2));
    await post({ method: 'notifications/cancelled', params: { requestId: 7 } }, sessions[1]);
    await eventually(() => Promise.resolve(ended.length > 0));
    expect(ended).toEqual([1]);
    leave.abort();
    await Promise.all(calls);
  });
});

describe('tools of several servers', () => {
  it('can have equal names, long names and names with line breaks, and can all be called (TOOL-15, MC-3)', async () => {
    const long = 'x'.repeat(100);
    await servers.add('one', [tool('go', () => text('one')), tool(long, () => text('long'))]);
    await servers.add('two', [tool('go', () => text('two')), tool('a__b', () => text('lines'))]);
    const client = await connect();
    const listed = (await names(client)).filter((name) => !BUILTIN.includes(name));
    expect(listed).toHaveLength(4);
    expect(Math.max(...listed.map(({ length }) => length))).toBe(50);
    const answers = await Promise.all(listed.map(async (name) => (await client.call(name)).content[0]?.text));
    expect(answers.sort()).toEqual(['lines', 'long', 'one', 'two']);
    const twin = await approvals.people.gateway().startTwin();
    const other = await connectMcp(twin.url, approvals.owner().accessToken);
    expect((await names(other)).filter((name) => !BUILTIN.includes(name))).toEqual(listed);
    await other.close();
    await twin.close();
  });

  it('remain available when one server is down: only its tools report an error (TOOL-15, TOOL-19, MC-5)', async () => {
    const dead = await servers.add('dead', [tool('go', () => text('dead'))]);
    await servers.add('living', [tool('go', () => text('living'))]);
    dead.goDown();
    const client = await connect();
    expect(await names(client)).toEqual([...BUILTIN, 'dead__go', 'living__go'].sort());
    expect(await client.call('living__go')).toMatchObject({ content: [{ text: 'living' }] });
    const failed = await client.call('dead__go');
    expect([failed.isError, failed.content[0]?.text]).toEqual([true, expect.stringContaining('dead')]);
  });

  it('fail immediately if their server ends during a response, and the error names the server (TOOL-19)', async () => {
    const dying = tool('go', async ({ report }) => {
      await report(1, 'begun');
      return new Promise(() => undefined);
    });
    const dead = await servers.add('dead', [dying]);
    // A progress notification was received, so the stream for the response is open.
    const failed = await (await connect()).call('dead__go', {}, { onprogress: () => dead.goDown() });
    expect([failed.isError, failed.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/dead.*connection ended before the response/),
    ]);
  });

  it('are only those of enabled servers of the account (MC-6)', async () => {
    const { id } = await servers.add('mine', [tool('go', () => text('mine'))]);
    const stranger = await approvals.people.register();
    expect(await names(await connect('second, 2026', stranger.accessToken))).toEqual(BUILTIN);
    await expect((await connect('second, 2026', stranger.accessToken)).call('mine__go')).rejects.toThrow(
      /Unknown tool/,
    );
    await approvals.call('PATCH', `/mcp-servers/${id}`, { enabled: false });
    await expect((await connect()).call('mine__go')).rejects.toThrow(/Unknown tool/);
  });

  it('are called with the stored settings, and with nothing from the caller (TOOL-18, MC-8)', async () => {
    const server = await servers.add('known', [tool('go', () => text('ok'))], { headers: { 'x-our-key': 'ours' } });
    const { accessToken } = approvals.owner();
    await (await connect()).call('known__go');
    expect(server.received.length).toBeGreaterThan(1);
    expect(server.received.every((headers) => headers['x-our-key'] === 'ours')).toBe(true);
    expect(JSON.stringify(server.received)).not.toContain(accessToken);
    expect(server.received.some(({ authorization, cookie }) => authorization ?? cookie)).toBe(false);
  });

  it('receive the trace context of the call, and no other metadata in addition to its arguments (TOOL-20)', async () => {
    const seen: Readonly<Record<string, unknown>>[] = [];
    const keep = tool('go', ({ meta }) => {
      seen.push(meta);
      return text('ok');
    });
    await servers.add('traced', [keep]);
    await servers.add('old', [keep], {}, { keepsSessions: true });
    const client = await connect();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const meta = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, baggage: 'user=dana', 'our/own': 1 };
    for (const name of ['traced__go', 'old__go']) {
      await client.call(name, {}, { meta });
      await client.call(name, {}, { meta: { traceparent: 'none' } });
    }
    const next = expect.stringMatching(`^00-${traceId}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`) as unknown;
    const own = expect.stringMatching(`^00-(?!${traceId})[0-9a-f]{32}-[0-9a-f]{16}-01$`) as unknown;
    expect(seen.map(({ traceparent }) => traceparent)).toEqual([next, own, next, own]);
    expect(
      seen.flatMap((one) => Object.keys(one)).filter((key) => !key.startsWith('io.modelcontextprotocol/')),
    ).toEqual(Array(4).fill('traceparent'));
  });

  it('use one session per caller on servers that have sessions (TOOL-18, MC-11)', async () => {
    const server = await servers.add('old', [tool('go', () => text('ok'))], {}, { keepsSessions: true });
    const [one, two] = [await connect(), await connect('second, 2026', await approvals.addAgent())];
    for (const client of [one, two, one, two]) expect((await client.call('old__go')).isError).not.toBe(true);
    const [first, second, third, fourth] = server.sessions;
    expect([third, fourth]).toEqual([first, second]);
    expect(first).not.toBe(second);
  });
});

describe('a held call of a server tool', () => {
  it('with a declared output schema returns text, marked as an error', async () => {
    await approvals.call('POST', '/approval-workflows', { name: 'w', approval_wait_seconds: 0, is_default: true });
    const outputSchema = { type: 'object' as const, properties: { v: { type: 'string' } }, required: ['v'] };
    const result = { content: [{ type: 'text' as const, text: '{"v":"2"}' }], structuredContent: { v: '2' } };
    await servers.add('ci', [tool('deploy', () => result, { outputSchema })]);
    const client = await connect();
    await client.list();
    const held = await client.call('ci__deploy');
    expect([held.isError, held.structuredContent]).toEqual([true, undefined]);
    const { status, approval_request_id: id } = JSON.parse(held.content[0]?.text ?? '') as Record<string, string>;
    expect(status).toBe('pending_approval');
    await approvals.decide(String(id), 'approve');
    expect(await client.call('get_approval_status', { approval_request_id: id })).toMatchObject(result);
  });

  it('with a result above the storage limit returns it to waiting callers, and reports to others that the call was made (TOOL-10)', async () => {
    await approvals.call('POST', '/approval-workflows', { name: 'w', approval_wait_seconds: 0, is_default: true });
    const large = text('x'.repeat(300_000));
    await servers.add('ci', [tool('deploy', () => large)]);
    const client = await connect();
    const id = (await client.call('ci__deploy')).structuredContent?.['approval_request_id'];
    await approvals.decide(String(id), 'approve');
    const ask = () => client.call('get_approval_status', { approval_request_id: id });
    expect((await ask()).content[0]?.text).toHaveLength(300_000);
    const later = await ask();
    expect(later).toMatchObject({ isError: true, structuredContent: { refused: true, reason: 'result_not_kept' } });
    expect(later.content[1]?.text).toBe('x'.repeat(64 * 1024));
  });
});

describe('malicious schemas and results (MC-9)', () => {
  it('are passed on without being processed, or result in an error of their tool; other tools remain available', async () => {
    const inputSchema = {
      type: 'object' as const,
      properties: { far: { $ref: 'https://elsewhere.example/far.json' }, slow: { type: 'string', pattern: '^(a+)+$' } },
    };
    await servers.add('odd', [
      tool('go', () => text('ok'), { inputSchema }),
      tool('much', () => text('x'.repeat(5 << 20))),
    ]);
    const client = await connect();
    expect((await client.list()).find(({ name }) => name === 'odd__go')).toMatchObject({ inputSchema });
    const much = await client.call('odd__much');
    expect([much.isError, much.content[0]?.text]).toEqual([true, expect.stringContaining('odd')]);
    await expect(client.call('odd__go', { slow: 'a'.repeat(1 << 20) })).rejects.toThrow(/payload_too_large/);
    const args = { far: 'not what it says', slow: `${'a'.repeat(100_000)}!` };
    expect(await client.call('odd__go', args)).toMatchObject({ content: [{ text: 'ok' }] });
  });
});
