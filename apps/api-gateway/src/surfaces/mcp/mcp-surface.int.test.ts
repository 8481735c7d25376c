import { auth as secondAuth } from '@modelcontextprotocol/client';
import { auth as firstAuth } from '@modelcontextprotocol/sdk/client/auth.js';
import { eventually } from '@steward/testing';
import { useApprovals } from '../../testing/approval-tests.ts';
import { MCP_CLIENTS, useMcpClients, type McpClient } from '../../testing/mcp-tests.ts';

const REQUESTS = 100;
// There are more slots for waiting than requests in these tests, because a call without a free slot returns at once.
const approvals = useApprovals({ ACCOUNT_MAX_WAITING: String(2 * REQUESTS) });

const url = () => approvals.people.gateway().url;
const connectTo = useMcpClients(url);
const connect = (options: Parameters<typeof connectTo>[1] = {}, token = approvals.owner().accessToken) =>
  connectTo(token, options);
const post = (
  headers: Record<string, string>,
  body: unknown = { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  token = approvals.owner().accessToken,
) =>
  approvals.people.gateway().call('POST', '/mcp/v1', {
    token,
    headers: { accept: 'application/json, text/event-stream', ...headers },
    body,
  });

describe.each(MCP_CLIENTS)('an MCP client (%s) (TOOL-1)', (kind) => {
  it('lists the tools of the service, in a stable order', async () => {
    const client = await connect({ kind });
    const names = (await client.list()).map(({ name }) => name);
    expect(names).toEqual(['ask_operator', 'get_approval_status', 'search_sessions']);
  });

  it('receives an error for an unknown tool', async () => {
    const client = await connect({ kind });
    await expect(client.call('no_such_tool')).rejects.toThrow(/Unknown tool: no_such_tool/);
  });

  it('receives a tool error for invalid arguments (TOOL-4)', async () => {
    const client = await connect({ kind });
    expect(await client.call('ask_operator', { question: '', much: 1 })).toMatchObject({
      isError: true,
      structuredContent: { refused: true, reason: 'invalid_request' },
    });
  });

  it('is told that the database is away, and may then make the same call (TOOL-4)', async () => {
    const client = await connect({ kind });
    const { query } = approvals.people;
    await query(`create function approvals.fill_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
    await query(`create trigger full_disk before insert on approvals.approval_request
      for each statement execute function approvals.fill_disk()`);
    const ask = () => client.call('ask_operator', { question: 'May I?' }, { meta: { 'steward/wait_seconds': 0 } });
    try {
      expect(await ask()).toMatchObject({
        isError: true,
        structuredContent: { refused: true, reason: 'unavailable' },
        _meta: { 'steward/may_repeat': true },
      });
    } finally {
      await query('drop function approvals.fill_disk() cascade');
    }
    expect((await ask()).structuredContent).toMatchObject({ status: 'pending_approval' });
  });

  it('asks people, and receives their decision (TOOL-6)', async () => {
    const client = await connect({ kind });
    const answer = client.call('ask_operator', { question: 'May I?', options: ['yes', 'no'] });
    const open = async () => (await approvals.call('GET', '/approval-requests')).body.items[0];
    await eventually(async () => (await open()) !== undefined);
    const request = await open();
    expect(request).toMatchObject({ tool_name: 'ask_operator', server: 'local', reasoning: 'May I?' });
    await approvals.decide(request.id, 'approve', { comment: 'yes, today' });
    expect((await answer).structuredContent).toEqual({ status: 'approved', answer: 'yes, today' });
    const status = await client.call('get_approval_status', { approval_request_id: request.id });
    expect(status.structuredContent).toEqual({ status: 'approved', answer: 'yes, today' });
  });
});

describe('the tool gateway', () => {
  it('returns instructions to a client without a valid key, at every metadata path (TOOL-30)', async () => {
    const missing = await fetch(`${url()}/mcp/v1`, { method: 'POST', body: '{}' });
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(missing.headers.get('www-authenticate') ?? '') ?? [];
    expect(metadata).toBe(`${url()}/.well-known/oauth-protected-resource/mcp/v1`);
    expect(missing.headers.get('www-authenticate')).not.toContain('error');
    const { error } = (await missing.json()) as { error: { message: string; data: { code: string } } };
    expect([missing.status, error.message, error.data.code]).toEqual([
      401,
      expect.stringMatching(/^No API key was sent\. .*Authorization: Bearer KEY.*no OAuth login.*settings\/api-keys$/),
      'unauthenticated',
    ]);
    const wrong = await post({}, undefined, 'no-such-key');
    expect(wrong.headers.get('www-authenticate')).toMatch(
      /error="invalid_token", error_description="The key that was sent is not valid/,
    );
    expect(wrong.body.error.message).toMatch(/^The key that was sent is not valid here/);
    for (const path of ['', '/mcp/v1']) {
      const read = await fetch(`${url()}/.well-known/oauth-protected-resource${path}`);
      expect([read.status, await read.json()]).toEqual([
        200,
        { resource: `${url()}/mcp/v1`, resource_name: 'Steward', bearer_methods_supported: ['header'] },
      ]);
    }
    for (const path of ['oauth-authorization-server', 'openid-configuration', 'oauth-authorization-server/mcp/v1'])
      expect((await fetch(`${url()}/.well-known/${path}`)).status).toBe(404);
  });

  it.each(['first', 'second'])(
    'shows the same message when an official client logs in (%s) (TOOL-30)',
    async (version) => {
      const provider = {
        redirectUrl: 'http://127.0.0.1:9/callback',
        clientMetadata: { client_name: 'tests', redirect_uris: ['http://127.0.0.1:9/callback'] },
        clientInformation: () => undefined,
        saveClientInformation: () => undefined,
        tokens: () => undefined,
        saveTokens: () => undefined,
        redirectToAuthorization: () => undefined,
        saveCodeVerifier: () => undefined,
        codeVerifier: () => '',
      };
      const log = version === 'first' ? firstAuth : secondAuth;
      await expect(log(provider as never, { serverUrl: `${url()}/mcp/v1` })).rejects.toThrow(
        /No API key was sent.*no OAuth login/,
      );
    },
  );

  it('responds to a missing credential with 401, and to another origin with 403 (TOOL-2, MC-10)', async () => {
    const answer = await fetch(`${url()}/mcp/v1`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
    // A refresh token is not meant for tool calls.
    const { token, refreshToken } = approvals.dana();
    expect(token).not.toBe(refreshToken);
    const misplaced = await post({}, undefined, refreshToken);
    expect([misplaced.status, misplaced.body.error.data.code]).toEqual([401, 'unauthenticated']);
    const foreign = await post({ origin: 'https://elsewhere.example' });
    expect([foreign.status, foreign.body.error.data.code]).toEqual([403, 'permission_denied']);
    expect((await post({ origin: 'http://127.0.0.1:8000' })).status).toBe(200);
    expect((await post({ origin: 'null' })).status).toBe(403);
  });

  it('has no sessions that a client could end (TOOL-1)', async () => {
    const { status, headers } = await approvals.people.gateway().call('DELETE', '/mcp/v1', {
      token: approvals.owner().accessToken,
    });
    expect([status, headers.get('allow')]).toEqual([405, 'POST, GET']);
  });

  it('can be used by users with write access to sessions (TOOL-2)', async () => {
    await expect(connect({}, approvals.dana().token)).rejects.toThrow();
  });

  it.each<[string, Record<string, string>, unknown, number, string]>([
    ['that is not JSON', { 'content-type': 'application/json' }, '{"jsonrpc"', 400, 'malformed_json'],
    ['of another structure', { 'content-type': 'text/plain' }, 'hello', 415, 'unsupported_media_type'],
    ['above 1 MiB', { 'content-type': 'application/json' }, `"${'x'.repeat(1 << 20)}"`, 413, 'payload_too_large'],
    [
      'with several messages',
      {},
      new Array(21).fill({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      413,
      'payload_too_large',
    ],
  ])('refuses a body %s (TOOL-2, TOOL-3)', async (_what, headers, body, status, code) => {
    const answer = await post(headers, body);
    expect([answer.status, answer.body.error.data.code]).toEqual([status, code]);
  });

  it('refuses a tool name in the header that differs from the body, before any decision (TOOL-3, MC-12)', async () => {
    const params = {
      name: 'ask_operator',
      arguments: { question: 'May I?' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'search_sessions' };
    const { status, body } = await post(headers, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect([status, body.error.code]).toEqual([400, -32_020]);
    expect((await approvals.call('GET', '/approval-requests')).body.items).toEqual([]);
  });

  it('applies the policy to its own tools as it does to others (TOOL-6)', async () => {
    await approvals.apply(
      'version: "1"\nrules:\n  - { id: quiet, description: Nobody is asked, match: { tools: ["local/ask_operator"] }, action: deny }\n',
    );
    const client = await connect();
    const { isError, content } = await client.call('ask_operator', { question: 'May I?' });
    expect([isError, content[0]?.text]).toEqual([true, 'Denied by policy: Nobody is asked']);
  });
});

describe('a request for approval of a tool call', () => {
  async function ask(client: McpClient): Promise<string> {
    const workflow = (await approvals.call('POST', '/approval-workflows', {
      name: 'at once',
      approval_wait_seconds: 0,
      is_default: true,
    })) as { status: number };
    expect(workflow.status).toBe(201);
    const { isError, structuredContent } = await client.call('ask_operator', { question: 'May I?' });
    expect(isError).not.toBe(true);
    expect(structuredContent).toEqual({
      status: 'pending_approval',
      approval_request_id: expect.any(String) as unknown,
      poll_after_seconds: 5,
      expires_at: expect.any(String) as unknown,
    });
    return structuredContent?.['approval_request_id'] as string;
  }

  it('waits for the decision, and returns a refusal with its comment (TOOL-8)', async () => {
    const client = await connect();
    const id = await ask(client);
    const answer = client.call('get_approval_status', { approval_request_id: id, wait_seconds: 45 });
    await approvals.decide(id, 'decline', { comment: 'Not today.' });
    expect(await answer).toMatchObject({ isError: true, content: [{ text: 'The request was declined: Not today.' }] });
  });

  it('is visible only to its caller (TOOL-8)', async () => {
    const id = await ask(await connect());
    const other = await connect({}, await approvals.addAgent());
    expect(await other.call('get_approval_status', { approval_request_id: id })).toMatchObject({
      isError: true,
      structuredContent: { refused: true, reason: 'not_found' },
    });
  });

  it('can be awaited by 100 requests of its account at once; further requests can wait only after some have ended (LIM-59)', async () => {
    const id = await ask(await connect());
    const params = { name: 'get_approval_status', arguments: { approval_request_id: id, wait_seconds: 45 } };
    // The wait is repeated if the request below took its slot, or nothing was decided in time.
    const wait = async (): Promise<number> => {
      const { status, body } = await post({}, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return JSON.stringify(body).includes('approved') ? status : wait();
    };
    const waiting = Array.from({ length: REQUESTS }, wait);
    let refusal = await post({});
    while (refusal.status === 200) refusal = await post({});
    expect([refusal.status, refusal.body.error.data]).toMatchObject([429, { code: 'rate_limited', limit: REQUESTS }]);
    const { accessToken: stranger } = await approvals.people.register();
    expect((await post({}, undefined, stranger)).status).toBe(200);
    await approvals.decide(id, 'approve');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
    expect((await post({})).status).toBe(200);
  });

  it('reports progress to a client that requests it (TOOL-7)', async () => {
    const client = await connect();
    const seen: string[] = [];
    const answer = client.call(
      'ask_operator',
      { question: 'Anybody there?' },
      { onprogress: ({ message }) => seen.push(message ?? '') },
    );
    await eventually(() => Promise.resolve(seen.length > 0));
    const [request] = (await approvals.call('GET', '/approval-requests')).body.items;
    expect(seen[0]).toContain(request.id);
    await approvals.decide(request.id, 'approve');
    expect((await answer).structuredContent).toEqual({ status: 'approved', answer: null });
  });
});
