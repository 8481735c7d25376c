import { createHash, randomBytes } from 'node:crypto';
import { requireStatus, type Api, type ApiAnswer } from '../demo/api.ts';

/** Ids that no list of the API returns, keyed by the path that uses them. */
export type NamedIds = Readonly<Record<string, string>>;

export interface FilledAccount {
  readonly ids: NamedIds;
  readonly agentId: string;
}

interface Filling {
  readonly api: Api;
  /** Value that is unique to this account. */
  readonly unique: string;
  readonly make: (path: string, body: unknown, status?: number) => Promise<ApiAnswer['body']>;
  /** Creates the value of a free text field from its plain value. */
  readonly write: (plain: string) => string;
}

/**
 * Creates at least one of every kind of object of an account, so that each route of the API has an object. No external
 * server is called: addresses belong to a network that does not exist.
 * @param write - Creates the value of a free text field from its plain value.
 * @throws if the service refuses to create an object
 */
export async function fillAccount(
  api: Api,
  write: (plain: string) => string = (plain) => plain,
): Promise<FilledAccount> {
  const filling: Filling = {
    api,
    write,
    unique: randomBytes(6).toString('hex'),
    make: (path, body, status = 201) => requireStatus(status, api.call('POST', `/api/v1${path}`, { body })),
  };
  const sessions = await fillSessions(filling);
  const people = await fillPeople(filling);
  const agentId = await fillAgents(filling);
  const governance = await fillGovernance(filling);
  const webhooks = await fillWebhooks(filling);
  await fillFlows(filling);
  return { agentId, ids: { ...sessions, ...people, ...governance, ...webhooks } };
}

async function fillSessions({ make, write, unique }: Filling): Promise<NamedIds> {
  const session = await make('/runtime-sessions', {
    session_source_type: 'attack',
    session_source_id: unique,
    title: write('A session'),
    summary: write('What came of it.'),
  });
  await make(`/runtime-sessions/${session.id}/tool-calls`, {
    tool_name: write('grep'),
    arguments: { [write('word')]: write('x') },
    result: write('found'),
  });
  await make('/runtime-sessions/search/saved', { name: write('saved'), query: 'x' });
  const { id } = await make('/runtime-sessions/deletions', { filters: { label: 'gone:yes' } }, 202);
  return { '/api/v1/runtime-sessions/deletions/': String(id) };
}

async function fillPeople({ make, write, unique }: Filling): Promise<NamedIds> {
  const role = await make('/roles', { name: `narrow ${unique}`, permissions: ['view_flows'] });
  const username = `person-${unique}`;
  await make('/users', { username, email: `${username}@example.test`, role: 'viewer', full_name: write('A person') });
  await make('/auth/api-keys', { name: write('a key') });
  // The id is needed because the list of roles begins with the system roles, which cannot be changed.
  return { '/api/v1/roles/': String(role.id) };
}

async function fillAgents({ api, make, write, unique }: Filling): Promise<string> {
  const agent = await make('/agents', { agent_kind: 'claude_code', display_name: write('An agent') });
  await make('/agents', { agent_kind: 'codex', display_name: write('Another agent') });
  await make(`/agents/${agent.id}/enrollments`, { enrollment_type: 'cli' });
  await make('/operator-notes', { managed_agent_id: agent.id, text: write('Look twice.') });
  await requireStatus(200, api.call('PUT', '/api/v1/agents/discovery-setting', { body: { enabled: true } }));
  const hash = (text: string): string => createHash('sha256').update(`${unique} ${text}`).digest('hex');
  const found = { agent_kind: 'cursor', config_path_hash: hash('path'), mcp_server_count: 0 };
  const report = { workstation_fingerprint: hash('machine'), os_family: 'linux', agents: [found] };
  await make('/agents/discovery-reports', report, 200);
  return String(agent.id);
}

async function fillGovernance({ make, write }: Filling): Promise<NamedIds> {
  await make('/ai-models', {
    alias: 'plain',
    provider: 'openai',
    model_identifier: 'gpt-5',
    api_key: 'sk-of-a-provider',
  });
  await make('/budgets', { scope: 'account', period: 'monthly', limit_amount: 100, hard: true });
  await make('/mcp-servers', { name: 'tools', url: 'https://tools.example.test/mcp' });
  await make('/approval-workflows', { name: write('deploys'), description: write('Deploys'), email: false });
  const rules = [
    { id: 'asked', match: { tools: ['local/asked'] }, action: 'require_approval' },
    { id: 'denied', match: { tools: ['local/denied'] }, action: 'deny' },
  ];
  await make('/policies/apply', { version: '1', rules });
  await make('/policies/apply', { version: '1', rules: rules.slice(0, 1) });
  const { id } = await make('/policies/backtest', { since: new Date(0).toISOString() }, 202);
  const asked = { tool_name: 'asked', arguments: { [write('word')]: write('x') }, reasoning: write('because') };
  await make('/agents/permission-check', asked, 200);
  return { '/api/v1/policies/backtests/': String(id), '/api/v1/mcp-servers/{mcp_server_id}/tools/': 'a-tool' };
}

async function fillWebhooks({ make, write }: Filling): Promise<NamedIds> {
  const hook = { url: 'https://receiver.example.test/hook', description: write('x'), event_types: [] };
  const endpoint = await make('/event-webhooks/endpoints', hook);
  const { event_id: event } = await make(`/event-webhooks/endpoints/${endpoint.id}/test`, {}, 202);
  const { id } = await make('/event-webhooks/deliveries/recover', { since: new Date(0).toISOString() }, 202);
  return {
    '/api/v1/event-webhooks/deliveries/recover/': String(id),
    '/api/v1/event-webhooks/events/': String(event),
    '/api/v1/event-webhooks/deliveries/{event_id}': String(event),
  };
}

async function fillFlows({ api, make, write, unique }: Filling): Promise<void> {
  await requireStatus(201, api.call('PUT', '/api/v1/flow-secrets/TOKEN', { body: { value: 'a secret value' } }));
  const flow = await make('/flows', {
    name: write(`flow ${unique}`),
    description: write('A flow'),
    trigger: 'webhook',
    agent_type: 'command',
    agent_config: { command: 'true' },
    prompt_template: write('x'),
  });
  await make(`/flows/${flow.id}/trigger`, {}, 202);
}
