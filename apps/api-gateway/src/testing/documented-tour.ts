import { newId } from '@steward/crypto';
import type { CallOptions } from './start-gateway.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tour looks into answers of every shape
type Answer = Promise<any>;

/** Requests whose responses are compared with the OpenAPI document; paths are below /api/v1, except those of `call`. */
export interface Tour {
  readonly call: (method: string, path: string, body?: unknown, options?: CallOptions) => Answer;
  readonly get: (path: string) => Answer;
  readonly post: (path: string, body?: unknown) => Answer;
  readonly put: (path: string, body: unknown) => Answer;
  readonly patch: (path: string, body: unknown) => Answer;
  readonly remove: (path: string) => Answer;
  /** Returns the example body of an operation. */
  readonly example: (id: string) => Record<string, unknown>;
  /** Id of the owner, who sends the requests. */
  readonly me: string;
}

const RULES = `version: '1'
rules:
  - { id: no-drop, match: { tools: ['local/drop_*'] }, action: deny }
defaults: { action: allow }
`;

export async function tourPolicies({ call, get, post, patch, remove, example, me }: Tour): Promise<void> {
  const send = (path: string, rules: string) =>
    call('POST', `/api/v1/policies/${path}`, rules, { headers: { 'content-type': 'application/yaml' } });
  await get('/policies');
  await get('/policies/schema');
  for (const path of ['validate', 'diff', 'apply?dry_run=1', 'apply', 'apply']) await send(path, RULES);
  await send('validate', 'rules: [{}]');
  await post('/policies/test', { tool_name: 'drop_table', arguments: {} });
  await get('/policies/versions');
  await get('/policies/versions/1');
  await send('apply', RULES.replace('deny', 'allow'));
  await post('/policies/versions/1/rollback');
  const backtest = await post('/policies/backtest', example('startBacktest'));
  await get(`/policies/backtests/${backtest.id}`);
  const workflow = await post('/approval-workflows', {
    ...example('createApprovalWorkflow'),
    ...{ is_default: true, allow_self_approval: true, approver_roles: [], approver_user_ids: [me] },
  });
  const { id } = workflow;
  await get('/approval-workflows');
  await get(`/approval-workflows/${id}`);
  await patch(`/approval-workflows/${id}`, { approval_config: { webhook_url: 'https://receiver.example.com/' } });
  await post(`/approval-workflows/${id}/webhook-secret/rotate`);
  await post(`/approval-workflows/${id}/bypass`, example('startApprovalBypass'));
  await remove(`/approval-workflows/${id}/bypass`);
  await send('apply', RULES.replace('deny', 'require_approval'));
  const asked = [];
  for (const name of ['drop_one', 'drop_two'])
    asked.push(await post('/agents/permission-check', { tool_name: name, arguments: { name } }));
  const [one, two] = asked.map((answer) => String(answer.approval_request_id));
  await get('/approval-requests');
  await get(`/approval-requests/${one}`);
  await post(`/approval-requests/${one}/decide`, { decision: 'approve', comment: 'fine' });
  await post(`/approval-requests/${two}/cancel`);
  await call('GET', '/approval/nothing');
  await call('POST', '/approval/nothing', 'decision=approve', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const spare = await post('/approval-workflows', { name: 'spare' });
  await remove(`/approval-workflows/${spare.id}`);
}

export async function tourSessions({ call, get, post, put, patch, remove, example }: Tour): Promise<void> {
  const session = await post('/runtime-sessions', example('openSession'));
  const { id } = session;
  await post('/runtime-sessions', example('openSession'));
  await get('/runtime-sessions');
  await get(`/runtime-sessions/${id}`);
  await patch(`/runtime-sessions/${id}`, { title: 'Fix the cart’s total' });
  await post(`/runtime-sessions/${id}/interactions`, example('storeInteraction'));
  await post(`/runtime-sessions/${id}/tool-calls`, { ...example('storeToolCall'), external_id: 'call-1' });
  await post(`/runtime-sessions/${id}/tool-calls`, { ...example('storeToolCall'), external_id: 'call-1' });
  await post(`/runtime-sessions/${id}/transcript`, example('importTranscript'));
  await get(`/runtime-sessions/${id}/timeline`);
  await get(`/runtime-sessions/${id}/similar`);
  await get(`/runtime-sessions/${id}/export`);
  const line = '{"type":"message","role":"user","content":"Why?"}';
  await call('POST', '/api/v1/runtime-sessions/import?format=steward&session_source_id=file-1', line, {
    headers: { 'content-type': 'application/x-ndjson' },
  });
  await call('POST', '/otlp/v1/traces', { resourceSpans: [] });
  await call('POST', '/otlp/v1/traces', 'no JSON', { headers: { 'content-type': 'application/json' } });
  for (const mode of ['keyword', 'semantic', 'hybrid'])
    await post('/runtime-sessions/search', { query: 'tax', mode, explain: true });
  await post('/runtime-sessions/search', { query: 'nowhere' });
  await post('/runtime-sessions/credential-sightings', example('listCredentialSightings'));
  const saved = await post('/runtime-sessions/search/saved', example('createSavedSearch'));
  await get('/runtime-sessions/search/saved');
  await get(`/runtime-sessions/search/saved/${saved.id}`);
  await patch(`/runtime-sessions/search/saved/${saved.id}`, example('updateSavedSearch'));
  await post(`/runtime-sessions/search/saved/${saved.id}/run`);
  await remove(`/runtime-sessions/search/saved/${saved.id}`);
  await get('/runtime-sessions/settings/backfill');
  await get('/runtime-sessions/settings/embedding');
  await put('/runtime-sessions/settings/embedding', { daily_cap_usd: 5 });
  await get('/runtime-sessions/settings/titles');
  await put('/runtime-sessions/settings/titles', { title_model: null });
  await get('/session-search/grants');
  await put('/session-search/grants', { grants: [] });
  await post(`/runtime-sessions/${id}/end`);
  const job = await post('/runtime-sessions/deletions', { filters: { label: 'team:nobody' } });
  await get(`/runtime-sessions/deletions/${String(job.id ?? newId())}`);
  await remove(`/runtime-sessions/${id}`);
}

export async function tourReceivers({ get, post, patch, remove, example }: Tour): Promise<void> {
  await get('/event-webhooks/catalogue');
  const endpoint = await post('/event-webhooks/endpoints', { url: 'https://receiver.example.com/' });
  const { id } = endpoint;
  await get('/event-webhooks/endpoints');
  await get(`/event-webhooks/endpoints/${id}`);
  await patch(`/event-webhooks/endpoints/${id}`, { description: 'mine' });
  await post(`/event-webhooks/endpoints/${id}/secret/rotate`, example('rotateEndpointSecret'));
  const sent = await post(`/event-webhooks/endpoints/${id}/test`);
  const [delivery] = (await get('/event-webhooks/deliveries')).items;
  await get('/event-webhooks/deliveries/dead-letter');
  await get(`/event-webhooks/deliveries/${delivery.id}`);
  await get(`/event-webhooks/events/${sent.event_id}`);
  await post(`/event-webhooks/deliveries/${sent.event_id}/replay`);
  await post('/event-webhooks/deliveries/recover', { since: '2026-11-20T09:00:00Z' });
  await get(`/event-webhooks/deliveries/recover/${newId()}`);
  await remove(`/event-webhooks/endpoints/${id}`);
  const link = await post('/event-webhooks/portal-links', example('createPortalLink'));
  await get('/event-webhooks/portal-links');
  await remove(`/event-webhooks/portal-links/${link.id}`);
  const listener = await post('/event-webhooks/listeners', { event_types: ['session.ended'] });
  await get('/event-webhooks/listeners');
  await patch(`/event-webhooks/listeners/${listener.id}`, { description: 'my laptop' });
  await remove(`/event-webhooks/listeners/${listener.id}`);
  await get(`/event-webhooks/listeners/${listener.id}/events`);
  const channel = await post('/notice-channels', example('createNoticeChannel'));
  await get('/notice-channels');
  await get(`/notice-channels/${channel.id}`);
  await patch(`/notice-channels/${channel.id}`, example('updateNoticeChannel'));
  await post(`/notice-channels/${channel.id}/test`);
  await remove(`/notice-channels/${channel.id}`);
  await get('/push-key');
  const browser = await post('/users/me/push-subscriptions', example('createPushSubscription'));
  await get('/users/me/push-subscriptions');
  await patch(`/users/me/push-subscriptions/${browser.id}`, example('updatePushSubscription'));
  await remove(`/users/me/push-subscriptions/${browser.id}`);
}
