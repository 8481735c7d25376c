import { randomUUID } from 'node:crypto';
import { eventually } from '@steward/testing';
import { useModelGateway } from '../../../testing/model-gateway-tests.ts';
import { registerAgent } from '../../../testing/register-agent.ts';

const gateway = useModelGateway();
const send = (method: string, path: string, token: string, body?: unknown, headers: Record<string, string> = {}) =>
  gateway.people.gateway().call(method, path, { token, headers, body });

/** Creates a key for a new agent of this kind; returns the key and its id. */
async function makeKey(kind: string): Promise<{ readonly key: string; readonly id: string }> {
  const id = await registerAgent(gateway.people.gateway(), gateway.token(), { agent_kind: kind });
  const key = { name: `${kind} ${randomUUID()}`, runtime_principal: { type: 'managed_agent', id } };
  const { body } = await send('POST', '/api/v1/auth/api-keys', gateway.token(), key);
  return { key: body.key as string, id: body.id as string };
}
const addAgentKey = async (kind: string): Promise<string> => (await makeKey(kind)).key;

const callTool = (key: string, meta: object, headers: Record<string, string> = {}) =>
  send(
    'POST',
    '/mcp/v1',
    key,
    {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'search_sessions', arguments: { query: 'heron' }, _meta: meta },
    },
    { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18', ...headers },
  );

/** Calls a model that requests a tool, in a session that the agent names. */
const askModel = async (key: string, session: string): Promise<void> => {
  const tools = [{ name: 'mcp__steward__search_sessions', input_schema: { type: 'object' } }];
  const messages = [{ role: 'user', content: 'Where is the heron?' }];
  const body = JSON.stringify({ model: 'claude', max_tokens: 100, messages, tools });
  const headers = { authorization: `Bearer ${key}`, 'x-claude-code-session-id': session };
  expect((await gateway.post('/anthropic/v1/messages', body, headers)).status).toBe(200);
};

interface Entry {
  readonly kind: string;
  readonly tool_name: string | null;
  readonly external_id: string;
  readonly output_tokens: number | null;
}

async function readCalls(type: string, sourceId: string): Promise<readonly Entry[]> {
  const { body } = await send('GET', '/api/v1/runtime-sessions?limit=200', gateway.token());
  const sessions = body.items as { id: string; session_source_type: string; session_source_id: string }[];
  const found = sessions.find((one) => one.session_source_type === type && one.session_source_id.startsWith(sourceId));
  if (found === undefined) return [];
  const { body: timeline } = await send('GET', `/api/v1/runtime-sessions/${found.id}/timeline`, gateway.token());
  return (timeline.items as Entry[]).filter(({ kind }) => kind === 'tool_call');
}

async function expectCall(type: string, sourceId: string, count = 1): Promise<readonly Entry[]> {
  await eventually(async () => (await readCalls(type, sourceId)).length >= count);
  return readCalls(type, sourceId);
}

const importLines = (key: string, lines: readonly object[]) =>
  send('POST', '/api/v1/runtime-sessions/import', key, lines.map((line) => JSON.stringify(line)).join('\n'), {
    'content-type': 'application/x-ndjson',
  });

/** The same call in the transcripts of Claude Code and Codex. */
const TRANSCRIPTS: Readonly<Record<string, (session: string, callId: string) => object[]>> = {
  claude_code: (sessionId, id) => [
    {
      ...{ type: 'assistant', sessionId, uuid: randomUUID(), timestamp: new Date().toISOString() },
      message: {
        ...{ id: `msg_${id}`, role: 'assistant', usage: { input_tokens: 9, output_tokens: 44 } },
        content: [{ type: 'tool_use', id, name: 'mcp__steward__search_sessions', input: { query: 'heron' } }],
      },
    },
  ],
  codex: (id, callId) => {
    const timestamp = new Date().toISOString();
    const call = { type: 'function_call', call_id: callId, name: 'search_sessions', namespace: 'mcp__steward' };
    const usage = { input_tokens: 9, output_tokens: 44 };
    return [
      { timestamp, type: 'session_meta', payload: { id } },
      { timestamp, type: 'response_item', payload: { ...call, arguments: '{"query":"heron"}' } },
      { timestamp, type: 'event_msg', payload: { type: 'token_count', info: { last_token_usage: usage } } },
    ];
  },
};

describe('a call through the tool gateway that an agent identifies (TOOL-32)', () => {
  it('from Claude Code does not wait for a model’s response if none is requested through the gateway', async () => {
    const key = await addAgentKey('claude_code');
    const took: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      const begun = performance.now();
      expect((await callTool(key, { 'claudecode/toolUseId': `toolu_${call}` })).status).toBe(200);
      took.push(performance.now() - begun);
    }
    // The first and the last look-up of such a response are 600 ms apart.
    expect(Math.min(...took)).toBeLessThan(600);
  });

  it('belongs to the thread that Codex names', async () => {
    const [key, thread] = [await addAgentKey('codex'), randomUUID()];
    await callTool(key, { threadId: thread, callId: 'call_1' });
    expect(await expectCall('codex', thread)).toMatchObject([{ tool_name: 'search_sessions', external_id: 'call_1' }]);
  });

  it('belongs to the session of the Claude Code instance whose model requested it, if several run at the same time', async () => {
    const [key, first, second] = [await addAgentKey('claude_code'), randomUUID(), randomUUID()];
    await askModel(key, first);
    await send('POST', '/api/v1/runtime-sessions', key, {
      session_source_type: 'claude_code',
      session_source_id: second,
    });
    await callTool(key, { 'claudecode/toolUseId': 'toolu_fake' });
    expect(await expectCall('claude_code', first)).toMatchObject([{ external_id: 'toolu_fake' }]);
    expect(await readCalls('claude_code', second)).toEqual([]);
  });

  it.each<[string, string, object, Record<string, string>]>([
    ['of an agent of another kind', 'opencode', { threadId: 'a', callId: 'b', 'claudecode/toolUseId': 'c' }, {}],
    ['of Codex without its thread', 'codex', { callId: 'call_1' }, {}],
    ['with invalid ids', 'codex', { threadId: 'x'.repeat(300), callId: { id: 1 } }, {}],
    ['of Claude Code without a session', 'claude_code', { 'claudecode/toolUseId': 'toolu_none' }, {}],
  ])('belongs to the session of its key if nothing identifies it: %s', async (_case, kind, meta, headers) => {
    const { key, id } = await makeKey(kind);
    await callTool(key, meta, headers);
    expect(await expectCall('gateway', `key:${id}`)).toHaveLength(1);
  });

  it('belongs to the session that its request names first', async () => {
    const key = await addAgentKey('codex');
    await callTool(
      key,
      { threadId: randomUUID(), callId: 'call_1' },
      { 'x-service-session-id': `mine-${key.slice(-8)}` },
    );
    expect(await expectCall('gateway', `mine-${key.slice(-8)}`)).toHaveLength(1);
  });

  it.each(Object.keys(TRANSCRIPTS))(
    'is stored once, with the tokens of its transcript, in either order: %s',
    async (kind) => {
      for (const isImportedFirst of [false, true]) {
        const [key, session, callId] = [await addAgentKey(kind), randomUUID(), `call_${randomUUID()}`];
        const meta = { threadId: session, callId, 'claudecode/toolUseId': callId };
        const lines = TRANSCRIPTS[kind]?.(session, callId) ?? [];
        if (isImportedFirst) expect((await importLines(key, lines)).status).toBe(200);
        else
          await send('POST', '/api/v1/runtime-sessions', key, {
            session_source_type: kind,
            session_source_id: session,
          });
        await callTool(key, meta);
        await eventually(async () => (await readCalls(kind, session)).length > 0);
        for (let times = 0; times < 2; times += 1) expect((await importLines(key, lines)).status).toBe(200);
        await eventually(async () => (await readCalls(kind, session)).some((entry) => entry.output_tokens === 44));
        expect(await readCalls(kind, session)).toHaveLength(1);
      }
    },
  );

  it('with the name of another call is stored as a separate call', async () => {
    const [key, thread] = [await addAgentKey('codex'), randomUUID()];
    const calls = { tool_name: 'rm', arguments: {}, result: '', external_id: 'call_1' };
    const opened = await send('POST', '/api/v1/runtime-sessions', key, {
      session_source_type: 'codex',
      session_source_id: thread,
    });
    await send('POST', `/api/v1/runtime-sessions/${String(opened.body.id)}/tool-calls`, key, calls);
    await callTool(key, { threadId: thread, callId: 'call_1' });
    const names = (await expectCall('codex', thread, 2)).map(({ tool_name: name }) => name);
    expect(names).toEqual(['rm', 'search_sessions']);
  });
});
