import type pg from 'pg';
import { startFakeProvider, type FakeProvider } from '@steward/fake-provider';
import { eventually, releaseAfterAll, scaleLimit } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { startToolServer, type DemoToolServer } from '../demo/start-tool-server.ts';
import { connectClient } from '../servers/connect-client.ts';
import { readEnd } from './read-end.ts';
import { registerOwner } from './register-owner.ts';
import { startLosingProxy, type LosingProxy } from './start-losing-proxy.ts';
import { startSuiteOf, type Suite } from './start-suite.ts';

const TIMEOUT_MS = scaleLimit(300_000);
/** Lease that is long enough not to expire, even on a busy machine. */
const LEASE_SECONDS = 15;
const POLICY = {
  version: '1',
  rules: [
    {
      id: 'deploys',
      description: 'Deploys need approval',
      match: { tools: ['ops/deploy'] },
      action: 'require_approval',
    },
  ],
};

describe('a flow whose agent needs approval for its tool (EXEC-24)', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  let api: Api;
  let tools: DemoToolServer;
  let provider: FakeProvider;
  let proxy: LosingProxy;
  let database: pg.Client;

  beforeAll(async () => {
    tools = await startToolServer(0);
    release(tools.close);
    provider = await startFakeProvider({ port: 0 });
    release(provider.close);
    proxy = await startLosingProxy();
    release(proxy.close);
    suite = await startSuiteOf(['api-gateway', 'flow-trigger'], {
      MCP_ALLOW_INSECURE_URLS: new URL(tools.url).origin,
      MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin,
      FLOW_AGENT_API_URL: proxy.origin,
      // A run that waits longer than its lease has to extend it.
      FLOW_LEASE_SECONDS: String(LEASE_SECONDS),
      FLOW_RECONCILE_SECONDS: '1',
    });
    release(suite.stop);
    proxy.forwardTo(suite.url);
    database = await connectClient(suite.database.url);
    release(() => database.end());
    ({ api } = await registerOwner(suite.api, 'gated'));
    await setUp();
  }, TIMEOUT_MS);

  beforeEach(() => {
    provider.reset();
    provider.behave({ toolArguments: '{"version":"2.4.1"}' });
  });

  async function setUp(): Promise<void> {
    const made = [
      await api.call('POST', '/api/v1/mcp-servers', { body: { name: 'ops', url: tools.url } }),
      await api.call('POST', '/api/v1/ai-models', {
        body: { alias: 'large', provider: 'openai', base_url: provider.origin, model_identifier: 'fake-large' },
      }),
      await api.call('POST', '/api/v1/approval-workflows', {
        body: { name: 'people', is_default: true },
      }),
      await api.call('POST', '/api/v1/policies/apply', { body: POLICY }),
    ];
    expect(made.map(({ status, body }) => [status, status === 201 ? '' : body])).toEqual(made.map(() => [201, '']));
    await api.call('POST', `/api/v1/mcp-servers/${String(made[0]?.body.id)}/refresh`);
  }

  async function start(name: string, flow: Record<string, unknown>): Promise<string> {
    const { body, status } = await api.call('POST', '/api/v1/flows', {
      body: { name, trigger: 'manual', prompt_template: 'Deploy it', allowed_tools: ['ops__deploy'], ...flow },
    });
    expect([status, status === 201 ? '' : body]).toEqual([201, '']);
    const started = await api.call('POST', `/api/v1/flows/${String(body.id)}/trigger`, { body: {} });
    return String(started.body.execution_id);
  }

  const findRequest = (executionId: string) =>
    eventually(async () => {
      const path = `/api/v1/approval-requests?status=pending&execution_id=${executionId}`;
      const { items } = (await api.call('GET', path)).body as unknown as { items: { id: string; tool_name: string }[] };
      if (items.length === 0) throw new Error(`nobody is asked: ${await readLog(executionId)}`);
      return items[0];
    });

  const decide = (id: string, decision: string) =>
    api.call('POST', `/api/v1/approval-requests/${id}/decide`, { body: { decision, comment: 'Not on a Friday' } });

  const readLog = async (executionId: string) =>
    JSON.stringify((await api.call('GET', `/api/v1/flows/executions/${executionId}/logs`)).body);

  const builtin = { agent_type: 'builtin', agent_config: {}, ai_model_id: 'large' };

  it(
    'waits with its lease across a restart of the gateway, runs the tool once after the approval, and ends',
    async () => {
      const executionId = await start('deployer', builtin);
      const request = await findRequest(executionId);
      expect([request.tool_name, tools.ran]).toEqual(['deploy', []]);
      await suite.crash('api-gateway');
      const renewed = await outliveLease(executionId);
      expect(renewed.status).toBe('RUNNING');
      expect((await decide(request.id, 'approve')).status).toBe(200);
      const ended = await readEnd(api, executionId);
      expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
      expect(tools.ran).toEqual(['deploy']);
      // The model first received only the tool named by its flow, and then the tool's result.
      const [first, second] = provider.requests.map(({ body }) => body.toString());
      expect(JSON.parse(first ?? '')).toMatchObject({ tools: [{ function: { name: 'ops__deploy' } }] });
      expect(second).toContain('deploy: done');
      expect(await readLog(executionId)).toContain(`waiting for approval ${request.id}`);
      const { body } = await api.call('GET', `/api/v1/runtime-sessions/${String(ended.runtime_session_id)}/timeline`);
      const calls = (body.items as unknown as { kind: string }[]).filter(({ kind }) => kind === 'tool_call');
      expect(calls).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it.each(['approve', 'decline'])(
    'waits for a call although its response was lost, and learns that people %s it',
    async (decision) => {
      const [before, lostBefore] = [tools.ran.length, proxy.countLost()];
      proxy.loseNext('"method":"tools/call"');
      const executionId = await start(`deployer that loses a response: ${decision}`, builtin);
      const request = await findRequest(executionId);
      await eventually(async () => (await readLog(executionId)).includes(`waiting for approval ${request.id}`));
      expect(proxy.countLost()).toBe(lostBefore + 1);
      await decide(request.id, decision);
      expect((await readEnd(api, executionId)).status).toBe('SUCCEEDED');
      const isApproved = decision === 'approve';
      expect(tools.ran).toHaveLength(before + (isApproved ? 1 : 0));
      expect(provider.requests.at(-1)?.body.toString()).toContain(isApproved ? 'deploy: done' : 'Not on a Friday');
    },
    TIMEOUT_MS,
  );

  it(
    'does not repeat a call that needed no approval and whose response was lost',
    async () => {
      const before = tools.ran.length;
      provider.behave({ toolArguments: '{"table":"orders"}' });
      proxy.loseNext('"method":"tools/call"');
      const executionId = await start('reporter', { ...builtin, allowed_tools: ['ops__read_table'] });
      expect((await readEnd(api, executionId)).status).toBe('SUCCEEDED');
      expect(tools.ran).toHaveLength(before + 1);
      expect(provider.requests.at(-1)?.body.toString()).toContain('its response was lost');
    },
    TIMEOUT_MS,
  );

  it(
    'passes on a decline with its reason, and the tool does not run',
    async () => {
      const before = tools.ran.length;
      const executionId = await start('declined deployer', builtin);
      await decide((await findRequest(executionId)).id, 'decline');
      expect((await readEnd(api, executionId)).status).toBe('SUCCEEDED');
      expect(provider.requests.at(-1)?.body.toString()).toContain('Not on a Friday');
      expect(tools.ran).toHaveLength(before);
    },
    TIMEOUT_MS,
  );

  it(
    'ends if it is stopped while waiting, and its request is cancelled',
    async () => {
      const executionId = await start('stopped deployer', builtin);
      const { id } = await findRequest(executionId);
      await api.call('POST', `/api/v1/flows/executions/${executionId}/stop`);
      expect((await readEnd(api, executionId)).status).toBe('STOPPED');
      await eventually(async () => {
        const { body } = await api.call('GET', `/api/v1/approval-requests/${id}`);
        return body.status === 'cancelled';
      });
    },
    TIMEOUT_MS,
  );

  /** Waits until the current lease would have expired, and returns the execution. */
  async function outliveLease(executionId: string) {
    const read = async (): Promise<number> => {
      const { rows } = await database.query<{ seconds: number }>(
        'select extract(epoch from lease_until)::float8 as seconds from flows.execution where id = $1',
        [executionId],
      );
      return rows[0]?.seconds ?? Number.NaN;
    };
    const first = await read();
    await eventually(async () => (await read()) > first + LEASE_SECONDS).catch(async (error: unknown) => {
      throw new Error(`the lease is not extended: ${await readLog(executionId)}`, { cause: error });
    });
    return (await api.call('GET', `/api/v1/flows/executions/${executionId}`)).body;
  }
});
