import { SERIES_NAMES } from '@steward/stats';
import { newId } from '@steward/crypto';
import { mayChangeCallers } from '@steward/http';
import pg from 'pg';
import { startPlayedTracker } from '@steward/testing';
import { listDeclaredRoutes } from './list-declared-routes.ts';
import { createAnswerCheck } from './testing/checked-answers.ts';
import { tourPolicies, tourReceivers, tourSessions } from './testing/documented-tour.ts';
import { insertRun } from './testing/insert-run.ts';
import { recordCallerChanges } from './testing/record-caller-changes.ts';
import { startTestGateway, type CallOptions, type TestGateway } from './testing/start-gateway.ts';
import { startUpstreamHost } from './testing/start-upstream-host.ts';

const PASSWORD = 'a long enough password';
/** Operations that only respond with an error in this test, and the dependency that each of them lacks. */
const REFUSED: Readonly<Record<string, string>> = {
  acceptInvitation: 'a link of a mail',
  decideByLink: 'a link of a mail',
  showApprovalPage: 'a link of a mail',
  connectToolServer: 'a server with a login',
  finishToolServerLogin: 'a server with a login',
  downloadExecutionEvidence: 'a worker',
  readToolServerLog: 'a program of a worker',
  sendArrivalAgain: 'an arrival that failed',
  readRecovery: 'a dead delivery',
  streamListenerEvents: 'a reader that goes on',
  downloadCli: 'a build',
  readCliChecksum: 'a build',
  downloadTypescriptSdk: 'a build',
  readTypescriptSdkChecksum: 'a build',
  downloadPythonSdk: 'a build',
  readPythonSdkChecksum: 'a build',
};

describe('the API (API-22)', () => {
  const declared = listDeclaredRoutes();
  const examples = new Map(declared.map((route) => [route.operationId, route.bodyExample as unknown]));
  const waiting = new Set(declared.filter(mayChangeCallers).map(({ operationId }) => operationId));
  let gateway: TestGateway;
  let admin: pg.Client;
  let token: string;
  let me: string;
  let accountId: string;
  let check: ReturnType<typeof createAnswerCheck>;
  let takeCallerChanges: () => Promise<string[]>;
  let tracker: Awaited<ReturnType<typeof startPlayedTracker>>;
  let tools: Awaited<ReturnType<typeof startUpstreamHost>>;
  const violations: string[] = [];
  const everChanged = new Set<string>();

  beforeAll(async () => {
    [tracker, tools] = await Promise.all([startPlayedTracker('github'), startUpstreamHost()]);
    gateway = await startTestGateway({
      SERVICE_EDITION: 'enterprise',
      ACCOUNT_RATE_PER_MINUTE: '1000000',
      FLOW_TRIGGER_RATE_PER_MINUTE: '100000',
      TRACKER_ALLOW_INSECURE_URLS: tracker.origin,
      MCP_ALLOW_INSECURE_URLS: tools.origin,
    });
    check = createAnswerCheck((await gateway.call('GET', '/docs/api/openapi.json')).body);
    const owner = await gateway.registerAccount();
    ({ accessToken: token, userId: me, accountId } = owner);
    admin = new pg.Client({ connectionString: gateway.database.url });
    await admin.connect();
    takeCallerChanges = await recordCallerChanges(admin);
  });
  afterAll(async () => {
    await admin.end();
    await gateway.close();
    await Promise.all([tracker.close(), tools.close()]);
  });

  /**
   * Sends a request, compares the response with the document, and returns its body. A change of what is read of callers
   * is one of a route that waits for all processes (ACC-55).
   */
  async function call(method: string, path: string, body?: unknown, options: CallOptions = {}) {
    const answer = await gateway.call(method, path, { token, ...(body === undefined ? {} : { body }), ...options });
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const type = answer.headers.get('content-type') ?? '';
    violations.push(...check.check({ method, path, status: answer.status, type, text }));
    const changed = await takeCallerChanges();
    for (const table of changed) everChanged.add(table);
    if (!waiting.has(check.findOperation(method, path)))
      violations.push(...changed.map((table) => `${method} ${path} does not wait, but changes ${table}`));
    return answer.body;
  }
  const get = (path: string) => call('GET', `/api/v1${path}`);
  const post = (path: string, body: unknown = {}) => call('POST', `/api/v1${path}`, body);
  const put = (path: string, body: unknown) => call('PUT', `/api/v1${path}`, body);
  const patch = (path: string, body: unknown) => call('PATCH', `/api/v1${path}`, body);
  const remove = (path: string) => call('DELETE', `/api/v1${path}`);
  const example = (id: string) => examples.get(id) as Record<string, unknown>;

  const tour = () => ({ call, get, post, put, patch, remove, example, me });

  afterEach(() => expect(violations.splice(0)).toEqual([]));

  it('returns documented responses: health, overview, people, roles and keys', async () => {
    for (const path of [
      '/health',
      '/livez',
      '/readyz',
      '/overview',
      '/deployment/health',
      '/deployment',
      '/users/me',
      '/users',
      '/audit-log',
    ])
      await get(path);
    await call('GET', '/api/v1/audit-log/export');
    for (const name of SERIES_NAMES) await get(`/stats/${name}`);
    await post('/auth/register', example('registerAccount'));
    const login = { username: 'ada', password: 'a long passphrase' };
    await call('POST', '/api/v1/auth/token', new URLSearchParams({ ...login, grant_type: 'password' }).toString(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const tokens = await post('/auth/token/json', login);
    await post('/auth/refresh', { refresh_token: tokens.refresh_token });
    const browser = { 'sec-fetch-site': 'same-origin', origin: gateway.url };
    const opened = await gateway.call('POST', '/api/v1/auth/session', { body: login, headers: browser });
    const cookie = (opened.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    await call('POST', '/api/v1/auth/session', login, { headers: browser });
    await call('POST', '/api/v1/auth/session/refresh', {}, { headers: { ...browser, cookie } });
    await call('DELETE', '/api/v1/auth/session', undefined, { headers: { ...browser, cookie } });
    await post('/auth/invitations/accept', example('acceptInvitation'));
    const user = await post('/users', { ...example('createUser'), password: PASSWORD });
    await patch(`/users/${user.id}`, example('updateUser'));
    const invited = await post('/users', { username: 'alan', email: 'alan@example.com', role: 'viewer' });
    await post(`/users/${invited.id}/invitation`);
    const role = await post('/roles', example('createRole'));
    await get('/roles');
    await patch(`/roles/${role.id}`, example('updateRole'));
    await remove(`/roles/${role.id}`);
    const key = await post('/auth/api-keys', { ...example('createApiKey'), limits: { calls_per_minute: 60 } });
    await get('/auth/api-keys');
    await patch(`/auth/api-keys/${key.id}`, { name: 'renamed' });
    await remove(`/auth/api-keys/${key.id}`);
    const [mine] = (await get('/auth/sessions')).items;
    const second = await gateway.call('POST', '/api/v1/auth/token/json', { body: login });
    const other = { token: String(second.body.access_token) };
    await call('PUT', '/api/v1/users/me/password', { current_password: login.password, new_password: PASSWORD }, other);
    await call('DELETE', `/api/v1/auth/sessions/${String(mine.id)}`, undefined, other);
    const third = { body: { username: login.username, password: PASSWORD } };
    const last = { token: String((await gateway.call('POST', '/api/v1/auth/token/json', third)).body.access_token) };
    const [session] = (await call('GET', '/api/v1/auth/sessions', undefined, last)).items;
    await call('DELETE', `/api/v1/auth/sessions/${String(session.id)}`, undefined, last);
    const fourth = { token: String((await gateway.call('POST', '/api/v1/auth/token/json', third)).body.access_token) };
    await call('POST', '/api/v1/auth/logout', {}, fourth);
    const fifth = { token: String((await gateway.call('POST', '/api/v1/auth/token/json', third)).body.access_token) };
    await call('POST', '/api/v1/auth/sessions/revoke-all', {}, fifth);
  });

  it('returns documented responses: agents, discovery, notes, models and costs', async () => {
    const agent = await post('/agents', { ...example('createAgent'), owner_user_id: me });
    const twin = await post('/agents', example('createAgent'));
    await get('/agents');
    await get(`/agents/${agent.id}`);
    await patch(`/agents/${agent.id}`, example('updateAgent'));
    await post(`/agents/${agent.id}/merge`, { duplicate_agent_id: twin.id });
    const enrollment = await post(`/agents/${agent.id}/enrollments`, example('createEnrollment'));
    await get(`/agents/${agent.id}/enrollments`);
    await post(`/agents/${agent.id}/enrollments/${enrollment.id}/validate`, example('validateEnrollment'));
    await post(`/agents/${agent.id}/enrollments/${enrollment.id}/restore`);
    await put('/agents/discovery-setting', { enabled: true });
    await get('/agents/discovery-setting');
    await get('/agents/discovery-salt');
    await post('/agents/discovery-reports', example('reportDiscovery'));
    const [candidate] = (await get('/agents/discovery-candidates')).items;
    await patch(`/agents/discovery-candidates/${candidate.id}`, { status: 'ignored' });
    await post(`/agents/discovery-candidates/${candidate.id}/onboard`, example('onboardDiscoveryCandidate'));
    const key = await post('/auth/api-keys', {
      name: 'of the agent',
      runtime_principal: { type: 'managed_agent', id: agent.id },
    });
    const asAgent = { token: String(key.key) };
    await call('POST', '/api/v1/agents/permission-check', { tool_name: 'read_file', arguments: {} }, asAgent);
    const note = await post('/operator-notes', { managed_agent_id: agent.id, text: 'Leave it for tomorrow.' });
    await get('/operator-notes');
    await post(`/operator-notes/${note.id}/cancel`);
    await post('/operator-notes', { managed_agent_id: agent.id, text: 'Do it now.' });
    await call('POST', '/api/v1/agents/notes/pending', {}, asAgent);
    const model = await post('/ai-models', example('createAiModel'));
    await get('/ai-models');
    await get(`/ai-models/${model.id}`);
    await patch(`/ai-models/${model.id}`, example('updateAiModel'));
    await post(`/ai-models/${model.id}/test`);
    await get('/usage');
    for (const by of ['model', 'agent', 'api_key', 'flow', 'session', 'day'])
      await get(`/usage/summary?group_by=${by}`);
    const budget = await post('/budgets', example('createBudget'));
    await get('/budgets');
    await get(`/budgets/${budget.id}`);
    await patch(`/budgets/${budget.id}`, example('updateBudget'));
    await remove(`/budgets/${budget.id}`);
    await remove(`/ai-models/${model.id}`);
    await put('/account/kill-switch', example('setKillSwitch'));
    await get('/account/kill-switch');
    await put('/account/kill-switch', { engaged: false });
    await remove(`/agents/${agent.id}`);
  });

  it('returns documented responses: policies and approvals', () => tourPolicies(tour()));

  it('returns documented responses: sessions and search', () => tourSessions(tour()));

  it('returns documented responses: webhook endpoints and deliveries', () => tourReceivers(tour()));

  it('returns documented responses: flows, schedules and executions', async () => {
    for (const path of ['/flow-templates', '/flows/models', '/flows/tools']) await get(path);
    await put('/flow-secrets/KEY', { value: 'a value' });
    await put('/flow-secrets/KEY', { value: 'another value' });
    await get('/flow-secrets');
    await get('/flow-secrets/KEY');
    const command = { agent_type: 'command', agent_config: { command: 'true' }, prompt_template: 'x' };
    const flow = await post('/flows', { ...command, name: 'hook', trigger: 'webhook' });
    const { id, webhook_config: hook } = flow;
    await get('/flows');
    await get(`/flows/${id}`);
    await patch(`/flows/${id}`, { description: 'mine' });
    const secret = String(hook.webhook_secret);
    await call('POST', `/webhooks/flows/${id}/${secret}`, { sha: 'a' });
    await call('POST', `/api/v1/webhooks/flows/${id}/${secret}`, { sha: 'b' });
    await call('POST', `/flows/${id}/trigger`, { sha: 'c' });
    await get(`/flows/${id}/arrivals`);
    await post(`/flows/${id}/arrivals/${newId()}/send-again`);
    await post(`/flows/${id}/webhook-secret/rotate`);
    const started = await post(`/flows/${id}/trigger`, { sha: 'd' });
    const execution = String(started.execution_id);
    await get('/flows/executions');
    await get(`/flows/executions/${execution}`);
    await get(`/flows/executions/${execution}/logs`);
    await get(`/flows/executions/${execution}/vulnerabilities`);
    await get(`/flows/executions/${execution}/evidence`);
    await post(`/flows/executions/${execution}/stop`);
    await post(`/flows/executions/${execution}/retry`);
    const session = await post('/runtime-sessions', { session_source_type: 'flow', session_source_id: 'run' });
    const run = await insertRun((text, values) => admin.query(text, values), { accountId, sessionId: session.id });
    await get(`/flows/executions/${run.executionId}`);
    const clock = { schedule_config: { cron: '30 6 * * 1-5', time_zone: 'Europe/Berlin' } };
    const timed = await post('/flows', { ...command, ...clock, name: 'clock', trigger: 'schedule' });
    await get('/schedules');
    await post('/schedules/preview', clock);
    for (const path of ['schedule', 'schedule/due-times']) await get(`/flows/${timed.id}/${path}`);
    for (const path of ['pause', 'resume', 'run']) await post(`/flows/${timed.id}/schedule/${path}`);
    await remove(`/flows/${timed.id}`);
    await remove('/flow-secrets/KEY');
  });

  it('returns documented responses: trackers and tool servers', async () => {
    const place = { token: 'a-token-of-the-tracker-0123456789', base_url: tracker.origin };
    const connected = await post('/trackers', { ...example('createTracker'), ...place });
    const { id } = connected;
    await get('/trackers');
    await get(`/trackers/${id}`);
    await patch(`/trackers/${id}`, example('updateTracker'));
    await post(`/trackers/${id}/test`, { repository: 'acme/shop' });
    const flow = await post('/flows', {
      ...{ name: 'of issues', trigger: 'tracker', agent_type: 'command', agent_config: { command: 'true' } },
      ...{ prompt_template: 'x', tracker_config: { tracker_id: id, repository: 'acme/shop' } },
    });
    await post(`/flows/${flow.id}/tracker-registration`);
    await remove(`/flows/${flow.id}`);
    await remove(`/trackers/${id}`);
    const upstream = tools.add([
      {
        name: 'forecast',
        inputSchema: { type: 'object' },
        run: () => ({ content: [{ type: 'text', text: 'Rain.' }] }),
      },
    ]);
    const server = await post('/mcp-servers', { name: 'weather', url: upstream.url });
    await get('/mcp-servers');
    await get(`/mcp-servers/${server.id}`);
    await post(`/mcp-servers/${server.id}/refresh`);
    const [tool] = (await get(`/mcp-servers/${server.id}/tools`)).items;
    await post(`/mcp-servers/${server.id}/tools/${String(tool?.name ?? 'forecast')}/accept`);
    await patch(`/mcp-servers/${server.id}`, { enabled: false });
    await get(`/mcp-servers/${server.id}/log`);
    await post(`/mcp-servers/${server.id}/oauth/connect`);
    await post(`/mcp-servers/${server.id}/oauth/finish`, example('finishToolServerLogin'));
    await remove(`/mcp-servers/${server.id}/oauth`);
    await remove(`/mcp-servers/${server.id}`);
  });

  it('is called with every operation; all succeed except those whose dependencies are missing', async () => {
    for (const file of ['cli/steward.tgz', 'sdk/steward-sdk.tgz', 'sdk/steward-sdk.tar.gz'])
      for (const path of [file, `${file}.sha256`]) await call('GET', `/${path}`);
    expect(check.operations.filter((id) => !check.reached.has(id))).toEqual([]);
    const succeeds = (id: string) => [...(check.reached.get(id) ?? [])].some((status) => status < 400);
    expect(check.operations.filter((id) => !succeeds(id)).sort()).toEqual(Object.keys(REFUSED).sort());
    const identity = ['gateway.api_key', 'gateway.role', 'gateway.kill_switch'];
    const tables = [...identity, 'models.revision', 'policies.policy_head'];
    expect([...everChanged]).toEqual(expect.arrayContaining(tables));
  });
});
