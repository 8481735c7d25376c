import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DEMO_TOOLS_ORIGIN } from '../stack/app-environment.ts';
import type { Api } from './api.ts';
import { startToolServer, type DemoToolServer } from './start-tool-server.ts';
import type { Steps } from './steps.ts';

const POLICY = {
  version: '1',
  rules: [
    { id: 'no-drop', description: 'Nobody drops tables', match: { tools: ['demo/drop_*'] }, action: 'deny' },
    {
      id: 'deploys',
      description: 'Deploys need approval',
      match: { tools: ['demo/deploy'] },
      action: 'require_approval',
    },
  ],
};
const TIMEOUT_MS = 15_000;

/**
 * Calls tools through the service as an agent would: one call is allowed, one is denied, and one waits for a person and
 * then runs once.
 */
export async function demonstrateTools(api: Api, baseUrl: string, steps: Pick<Steps, 'run' | 'expect'>): Promise<void> {
  const server = await startToolServer(Number(new URL(DEMO_TOOLS_ORIGIN).port)).catch(() => undefined);
  if (server === undefined) return console.log('                omitted: the port of the demo’s tools is in use');
  try {
    if (!(await saveServer(api, server, steps))) {
      return console.log('                omitted: this gateway may not call tools on this machine');
    }
    await applyPolicy(api, steps);
    const key = await api.call('POST', '/api/v1/auth/api-keys', {
      body: { name: 'demo coder', runtime_principal: { type: 'agent', id: 'demo-coder' } },
    });
    const client = await connect(baseUrl, String(key.body.key));
    await callTools(client, server, steps);
    await holdDeploy(api, client, { server, steps });
    await client.close();
  } finally {
    await server.close();
  }
}

/** Adds the tool server; returns false if the deployment allows no local tool servers. */
function saveServer(api: Api, server: DemoToolServer, { run, expect }: Pick<Steps, 'run' | 'expect'>) {
  return run('add a tool server, and list its tools', async () => {
    const saved = await api.call('POST', '/api/v1/mcp-servers', { body: { name: 'demo', url: server.url } });
    if (saved.status === 422) return false;
    expect(saved.status === 201, `status 201, not ${saved.status}: ${JSON.stringify(saved.body)}`);
    const path = `/api/v1/mcp-servers/${String(saved.body.id)}`;
    await api.call('POST', `${path}/refresh`);
    const { body } = await api.call('GET', path);
    expect(body.tools_count === 3, `three tools: ${JSON.stringify(body)}`);
    return true;
  });
}

function applyPolicy(api: Api, { run, expect }: Pick<Steps, 'run' | 'expect'>): Promise<void> {
  return run('apply a policy: nobody drops tables, deploys need approval', async () => {
    const workflow = { name: 'demo', is_default: true, allow_self_approval: true };
    expect((await api.call('POST', '/api/v1/approval-workflows', { body: workflow })).status === 201, 'a workflow');
    const applied = await api.call('POST', '/api/v1/policies/apply', { body: POLICY });
    expect(applied.status === 201, `status 201, not ${applied.status}: ${JSON.stringify(applied.body)}`);
  });
}

async function connect(baseUrl: string, key: string): Promise<Client> {
  const client = new Client({ name: 'demo', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/v1', baseUrl), { requestInit }));
  return client;
}

function callTools(client: Client, server: DemoToolServer, { run, expect }: Pick<Steps, 'run' | 'expect'>) {
  return run('call tools as an agent, with the official client: one call is allowed, one denied', async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(
      names.includes('demo__deploy') && !names.includes('demo__drop_table'),
      `the tools that may be called: ${names.join()}`,
    );
    const read = await client.callTool({ name: 'demo__read_table', arguments: { table: 'orders' } });
    expect(read.isError !== true, `a result: ${JSON.stringify(read)}`);
    const denied = await client.callTool({ name: 'demo__drop_table', arguments: { table: 'orders' } });
    expect(
      JSON.stringify(denied).includes('Nobody drops tables'),
      `the description of the rule: ${JSON.stringify(denied)}`,
    );
    expect(server.ran.join() === 'read_table', `one tool ran: ${server.ran.join()}`);
  });
}

function holdDeploy(
  api: Api,
  client: Client,
  {
    server,
    steps: { run, expect },
  }: { readonly server: DemoToolServer; readonly steps: Pick<Steps, 'run' | 'expect'> },
): Promise<void> {
  return run('hold a deploy until a person approves it: it runs once', async () => {
    const answer = client.callTool({ name: 'demo__deploy', arguments: { version: '2.4.1' } });
    const id = await waitForRequest(api);
    expect(!server.ran.includes('deploy'), 'nothing ran before');
    const decided = await api.call('POST', `/api/v1/approval-requests/${id}/decide`, { body: { decision: 'approve' } });
    expect(decided.status === 200, `status 200, not ${decided.status}: ${JSON.stringify(decided.body)}`);
    const result = await answer;
    expect(JSON.stringify(result).includes('deploy: done'), `its result: ${JSON.stringify(result)}`);
    const again = await client.callTool({ name: 'get_approval_status', arguments: { approval_request_id: id } });
    expect(JSON.stringify(again.content) === JSON.stringify(result.content), 'the same result, requested later');
    expect(server.ran.join() === 'read_table,deploy', `it ran once: ${server.ran.join()}`);
  });
}

async function waitForRequest(api: Api): Promise<string> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await delay(100)) {
    const { body } = await api.call('GET', '/api/v1/approval-requests?status=pending');
    const [request] = (body.items ?? []) as { id: string }[];
    if (request !== undefined) return request.id;
  }
  throw new Error('nobody was asked');
}
