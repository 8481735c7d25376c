import { createHmac } from 'node:crypto';
import type { EventType } from '@steward/contracts';
import { requireStatus, type Api } from './api.ts';

/** Environment of the scenes: a separate account with an endpoint that receives all events. */
export interface Stage {
  /** API of the service, called as the owner of the account. */
  readonly api: Api;
  readonly endpointId: string;
  /** Origin of a model provider that the gateway may call. */
  readonly providerOrigin: string;
}

export interface Scene {
  readonly title: string;
  /** Event types that the scene emits. */
  readonly types: readonly EventType[];
  play(stage: Stage): Promise<void>;
}

/** Types without an emitter yet. Once a type has an emitter, it is removed from this list and needs a scene. */
export const NOT_EMITTED: readonly EventType[] = [];

/** Actions that cause events, executed through the API as a client would. */
export const SCENES: readonly Scene[] = [
  { title: 'send a test to the endpoint', types: ['webhook.test'], play: sendTest },
  {
    title: 'send a note to an agent, deliver it, and end its session',
    types: ['agent.note_sent', 'agent.note_delivered', 'session.ended'],
    play: writeNote,
  },
  { title: 'report an agent of a workstation', types: ['agent.discovered'], play: discoverAgent },
  { title: 'register an agent and validate its enrollment', types: ['agent.onboarded'], play: onboardAgent },
  { title: 'call a tool that a policy denies', types: ['policy.denied'], play: denyCall },
  {
    title: 'call a tool that needs approval, and approve it',
    types: ['approval.created', 'approval.decided'],
    play: approveCall,
  },
  {
    title: 'spend beyond the alert threshold of a budget, then beyond its limit',
    types: ['budget.threshold', 'budget.exceeded'],
    play: exceedBudget,
  },
  {
    title: 'run an audit that reports an exploited vulnerability',
    types: ['flow.execution.finished', 'cra.reportable_vulnerability'],
    play: runAudit,
  },
];

const POLICY = {
  version: '1',
  rules: [
    { id: 'no-drop', description: 'Nobody drops tables', match: { tools: ['db/drop_*'] }, action: 'deny' },
    {
      id: 'deploys',
      description: 'Deploys need approval',
      match: { tools: ['ci/deploy'] },
      action: 'require_approval',
    },
  ],
};

async function sendTest({ api, endpointId }: Stage): Promise<void> {
  await requireStatus(202, api.call('POST', `/api/v1/event-webhooks/endpoints/${endpointId}/test`));
}

async function writeNote({ api }: Stage): Promise<void> {
  const session = { session_source_type: 'demo', session_source_id: 'events', runtime_principal_id: 'coder' };
  const { id } = await requireStatus(201, api.call('POST', '/api/v1/runtime-sessions', { body: session }));
  const agent = { name: 'coder', runtime_principal: { type: 'agent', id: 'coder' } };
  const { key } = await requireStatus(201, api.call('POST', '/api/v1/auth/api-keys', { body: agent }));
  const note = { runtime_session_id: id, text: 'Leave the payment tables alone today.' };
  await requireStatus(201, api.call('POST', '/api/v1/operator-notes', { body: note }));
  await requireStatus(200, api.withToken(String(key)).call('POST', '/api/v1/agents/notes/pending', { body: {} }));
  await requireStatus(200, api.call('POST', `/api/v1/runtime-sessions/${String(id)}/end`, { body: {} }));
}

async function discoverAgent({ api }: Stage): Promise<void> {
  const setting = { body: { enabled: true } };
  await requireStatus(200, api.call('PUT', '/api/v1/agents/discovery-setting', setting));
  const { salt } = await requireStatus(200, api.call('GET', '/api/v1/agents/discovery-salt'));
  const hash = (text: string): string =>
    createHmac('sha256', Buffer.from(String(salt), 'hex'))
      .update(text)
      .digest('hex');
  const agent = { agent_kind: 'codex', config_path_hash: hash('~/.codex/config.toml'), mcp_server_count: 2 };
  const body = { workstation_fingerprint: hash('a laptop'), os_family: 'linux', agents: [agent] };
  await requireStatus(200, api.call('POST', '/api/v1/agents/discovery-reports', { body }));
}

async function onboardAgent({ api }: Stage): Promise<void> {
  const agent = { agent_kind: 'claude_code', display_name: 'Claude of Dana', tags: ['demo'] };
  const { id } = await requireStatus(201, api.call('POST', '/api/v1/agents', { body: agent }));
  const path = `/api/v1/agents/${String(id)}/enrollments`;
  const enrollment = { enrollment_type: 'manual', status: 'applied', gateway_routed: true };
  const { id: enrollmentId } = await requireStatus(201, api.call('POST', path, { body: enrollment }));
  await requireStatus(200, api.call('POST', `${path}/${String(enrollmentId)}/validate`, { body: { ok: true } }));
}

async function denyCall({ api }: Stage): Promise<void> {
  await requireStatus(201, api.call('POST', '/api/v1/policies/apply', { body: POLICY }));
  const verdict = await check(api, { tool_name: 'drop_table', server: 'db', arguments: { table: 'orders' } });
  if (verdict.decision !== 'deny') throw new Error(`not denied: ${JSON.stringify(verdict)}`);
}

async function approveCall({ api }: Stage): Promise<void> {
  const workflow = { name: 'demo', is_default: true, allow_self_approval: true };
  await requireStatus(201, api.call('POST', '/api/v1/approval-workflows', { body: workflow }));
  const verdict = await check(api, { tool_name: 'deploy', server: 'ci', arguments: { version: '2.4.1' } });
  const path = `/api/v1/approval-requests/${String(verdict.approval_request_id)}/decide`;
  await requireStatus(200, api.call('POST', path, { body: { decision: 'approve', comment: 'Go.' } }));
}

function check(api: Api, call: object) {
  return requireStatus(200, api.call('POST', '/api/v1/agents/permission-check', { body: call }));
}

/**
 * Exceeds a budget. A word costs several dollars here, so that one response exceeds one percent of the budget, which is
 * the threshold.
 */
async function exceedBudget({ api, providerOrigin }: Stage): Promise<void> {
  const prices = { input_per_mtok_usd: 1000, output_per_mtok_usd: 1000 };
  const model = { alias: 'dear', provider: 'openai', base_url: providerOrigin, model_identifier: 'fake-large', prices };
  await requireStatus(201, api.call('POST', '/api/v1/ai-models', { body: model }));
  const budget = { scope: 'account', period: 'daily', limit_amount: 1, thresholds_percent: [1] };
  await requireStatus(201, api.call('POST', '/api/v1/budgets', { body: budget }));
  const ask = (maxTokens: number) => {
    const messages = [{ role: 'user', content: 'What is a ledger?' }];
    return api.call('POST', '/openai/v1/chat/completions', {
      body: { model: 'dear', max_tokens: maxTokens, messages },
    });
  };
  await requireStatus(200, ask(100));
  await requireStatus(403, ask(1_000_000));
}

const FINDING = {
  cve: 'CVE-2024-10001',
  actively_exploited: true,
  exploited_evidence: 'Listed in the catalog of exploited vulnerabilities.',
  affected: { affected: true, product: 'edge-router', versions: ['1.4.0'] },
  vex_status: 'affected',
  discovered_at: '2024-02-28T06:00:00Z',
  assessment: 'The vulnerable function is reachable from the management port.',
  kev_snapshot_date: '2024-02-27',
  kev_source_url: 'https://kev.example/catalogue.json',
};

async function runAudit({ api }: Stage): Promise<void> {
  const command = `cat > result.json <<'RESULT'\n${JSON.stringify({ vulnerabilities: [FINDING] })}\nRESULT`;
  const body = {
    name: 'demo audit',
    prompt_template: 'Audit {{trigger_event.payload.release}}.',
    agent_type: 'command',
    agent_config: { command },
    reporting: { cra: true },
  };
  const flow = await requireStatus(201, api.call('POST', '/api/v1/flows', { body }));
  const trigger = api.call('POST', `/api/v1/flows/${String(flow.id)}/trigger`, { body: { release: '1.4.0' } });
  const { execution_id: id } = await requireStatus(202, trigger);
  const ended = await requireStatus(200, api.call('GET', `/api/v1/flows/executions/${String(id)}?wait=60`));
  if (ended.status !== 'SUCCEEDED') throw new Error(`the audit did not succeed: ${JSON.stringify(ended)}`);
}
