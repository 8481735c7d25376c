import { createHmac } from 'node:crypto';
import { TRACKER_KINDS, type TrackerKind } from '@steward/trackers';
import { shortenPauses } from '@steward/process/testing';
import { eventually } from '@steward/testing';
import { PUBLIC_URL, TOKEN, useTrackers } from '../../../testing/tracker-tests.ts';

// Every test waits for the loop that registers hooks, so the pauses of the loop are shortened.
afterAll(shortenPauses('due tasks'));
const trackers = useTrackers();
const { addFlow, call, people, played, readRegistration, waitForState } = trackers;

/** Signs like each host, independently of the code under test. */
const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const DELIVERIES: Record<TrackerKind, (text: string, secret: string) => Record<string, string>> = {
  github: (text, secret) => ({
    'x-github-event': 'issues',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${sign(secret, text)}`,
  }),
  gitlab: (_text, secret) => ({ 'x-gitlab-event': 'Issue Hook', 'x-gitlab-token': secret }),
  jira: (text, secret) => ({
    'x-atlassian-webhook-identifier': 'delivery-1',
    'x-hub-signature': `sha256=${sign(secret, text)}`,
  }),
  linear: (text, secret) => ({
    'linear-event': 'Issue',
    'linear-delivery': '234d1a4e-b617-4388-90fe-adc3633d6b72',
    'linear-signature': sign(secret, text),
  }),
};
const BODIES: Record<TrackerKind, object> = {
  github: { action: 'opened', issue: { number: 42 }, repository: { full_name: 'acme/shop' } },
  gitlab: { object_kind: 'issue', object_attributes: { iid: 42, action: 'open' } },
  jira: { webhookEvent: 'jira:issue_created', issue: { key: 'OPS-42' } },
  linear: { type: 'Issue', action: 'create', data: { identifier: 'ENG-42' } },
};
const EVENTS: Record<TrackerKind, { types: string[]; sent: object }> = {
  github: { types: ['issues.opened', 'issue_comment'], sent: { active: true, events: ['issues', 'issue_comment'] } },
  gitlab: { types: ['issue.open'], sent: { issues_events: true, push_events: false, merge_requests_events: false } },
  jira: {
    types: ['jira:issue_created'],
    sent: { events: ['jira:issue_created'], filters: { 'issue-related-events-section': 'project = "OPS"' } },
  },
  linear: { types: ['Issue.create'], sent: { resourceTypes: ['Issue'], enabled: true } },
};
/** Returns the hooks of one flow, because those of other tests may be retried in the meantime. */
const hooksOf = (kind: TrackerKind, flowId: string) =>
  [...played(kind).hooks.values()].filter(({ url }) => url.includes(flowId));
const onlyHook = (kind: TrackerKind, flowId: string) => {
  const [hook, ...others] = hooksOf(kind, flowId);
  if (hook === undefined || others.length > 0) throw new Error(`${others.length + 1} hooks`);
  return hook;
};

describe.each(TRACKER_KINDS)('a flow that is triggered by %s', (kind) => {
  it('is registered with the tracker, and an event from the tracker starts a run of the flow (TRK-7, TRK-8)', async () => {
    const { types, sent } = EVENTS[kind];
    const { flowId, flow } = await addFlow(kind, { webhook_config: { event_types: types } });
    expect(flow.tracker_config.registration.state).toBe('pending');
    expect(flow.webhook_config).toMatchObject({ source: kind, signing_secrets: ['[hidden]'], event_types: types });
    const active = await waitForState(flowId, 'active');
    expect(active).toEqual({ state: 'active', reason: null, registered_at: expect.any(String), retry_at: null });
    const hook = onlyHook(kind, flowId);
    expect(hook.url).toBe(`${PUBLIC_URL}/webhooks/flows/${flowId}/${flow.webhook_config.webhook_secret}`);
    expect(hook.sent).toMatchObject(sent);
    expect(hook.secret).toMatch(/^[\w-]{43}$/);

    const text = JSON.stringify(BODIES[kind]);
    const path = new URL(hook.url).pathname;
    const headers = { 'content-type': 'application/json', ...DELIVERIES[kind](text, hook.secret) };
    const delivered = await people.gateway().call('POST', path, { body: text, headers });
    expect([delivered.status, delivered.body.status]).toEqual([202, 'accepted']);
    const { body: execution } = await call('GET', `/flows/executions/${delivered.body.execution_id}`);
    expect(execution.trigger_type).toBe('tracker');
    expect(execution.trigger_event_details.source.name).toBe(kind);

    const forged = { ...headers, ...DELIVERIES[kind](text, 'another secret') };
    const refused = await people.gateway().call('POST', path, { body: text, headers: forged });
    expect([refused.status, refused.body.detail.code]).toEqual([401, 'invalid_signature']);
  });

  it('is registered again when its events change, and removed when it is disabled or deleted (TRK-8, TRK-9)', async () => {
    const { flowId } = await addFlow(kind, { webhook_config: { event_types: EVENTS[kind].types } });
    await waitForState(flowId, 'active');
    const { id, secret } = onlyHook(kind, flowId);
    const { body: changed } = await call('PATCH', `/flows/${flowId}`, { webhook_config: {} });
    expect(changed.tracker_config.registration.state).toBe('pending');
    await waitForState(flowId, 'active');
    expect([onlyHook(kind, flowId).id, onlyHook(kind, flowId).secret]).toEqual([id, secret]);
    expect(onlyHook(kind, flowId).sent).not.toMatchObject(EVENTS[kind].sent);

    await call('PATCH', `/flows/${flowId}`, { is_enabled: false });
    await waitForState(flowId, 'removed');
    expect(hooksOf(kind, flowId)).toEqual([]);
    await call('PATCH', `/flows/${flowId}`, { is_enabled: true });
    await waitForState(flowId, 'active');
    expect((await call('DELETE', `/flows/${flowId}`)).status).toBe(204);
    await eventually(() => hooksOf(kind, flowId).length === 0);
    await eventually(
      async () => (await people.query('select from trackers.hook where flow_id = $1', [flowId])).length === 0,
    );
  });
});

const isSave = ({ method, path, body }: { method: string; path: string; body: Readonly<Record<string, unknown>> }) =>
  method !== 'GET' && (path !== '/graphql' || String(body['query']).includes('webhookCreate'));
const REFUSALS = [401, 403, 404, 422].flatMap((status) => TRACKER_KINDS.map((kind) => [kind, status] as const));

describe('a hook that is refused by a tracker', () => {
  it.each(REFUSALS)(
    '%s with %d has the state failed, with the tracker’s message, until somebody retries (TRK-8)',
    async (kind, status) => {
      played(kind).refuse({ status, body: { message: `not for ${TOKEN}` } }, isSave);
      const { flowId } = await addFlow(kind);
      const failed = await waitForState(flowId, 'failed');
      expect(failed['reason']).toMatch(
        new RegExp(`^The hook is not registered: \\w+ responded with ${status}: not for \\[hidden\\]`),
      );
      expect(failed['retry_at']).toBeNull();
      played(kind).refuse(undefined);
      const again = await call('POST', `/flows/${flowId}/tracker-registration`);
      expect([again.status, again.body.registration.state, hooksOf(kind, flowId).length]).toEqual([200, 'active', 1]);
    },
  );

  it.each([
    ['github', { status: 429, headers: { 'retry-after': '120' }, body: { message: 'slow down' } }],
    [
      'github',
      { status: 403, headers: { 'x-ratelimit-remaining': '0' }, body: { message: 'API rate limit exceeded' } },
    ],
    ['gitlab', { status: 502 }],
    ['jira', { status: 503 }],
    ['linear', { status: 400, body: { errors: [{ message: 'x', extensions: { code: 'RATELIMITED' } }] } }],
  ] as const)('%s temporarily stays pending, and shows the time of the next attempt (TRK-8)', async (kind, refusal) => {
    played(kind).refuse(refusal, isSave);
    const { flowId } = await addFlow(kind);
    const waiting = await eventually(async () => {
      const registration = await readRegistration(flowId);
      return registration?.['reason'] === null ? undefined : registration;
    });
    expect(waiting).toMatchObject({ state: 'pending', retry_at: expect.any(String) });
    const seconds = (Date.parse(String(waiting?.['retry_at'])) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan('headers' in refusal && 'retry-after' in refusal.headers ? 100 : 5);
  });

  it('is registered automatically when the connection gets a token with the required permission (TRK-8)', async () => {
    played('github').refuse({ status: 401, body: { message: 'Bad credentials' } });
    const { flowId, trackerId } = await addFlow('github');
    await waitForState(flowId, 'failed');
    played('github').refuse(undefined);
    await call('PATCH', `/trackers/${trackerId}`, { token: 'a-better-token' });
    await waitForState(flowId, 'active');
    const tokens = played('github').requests.map(({ headers }) => headers.authorization);
    expect(tokens).toContain('Bearer a-better-token');
  });
});

describe('a tracker’s message about a hook', () => {
  it('is shown without the secrets of the flow (FLOW-12, TRK-3)', async () => {
    const { flowId, flow } = await addFlow('jira');
    await waitForState(flowId, 'active');
    const { url, secret } = onlyHook('jira', flowId);
    played('jira').refuse({ status: 400, body: { errorMessages: [`${url} with ${secret} is invalid`] } }, isSave);
    const { body } = await call('POST', `/flows/${flowId}/tracker-registration`);
    expect(body.registration.reason).toMatch(/\/\[hidden\] with \[hidden\] is invalid/);
    expect(body.registration.reason).not.toContain(flow.webhook_config.webhook_secret);
  });
});

describe('a hook whose registration was interrupted by the end of a process', () => {
  it.each(TRACKER_KINDS)(
    'is found by its address at %s, so that only one exists, however often it is registered (TRK-8)',
    async (kind) => {
      const { flowId } = await addFlow(kind);
      await waitForState(flowId, 'active');
      const { id } = onlyHook(kind, flowId);
      // Simulates a process that ended before it stored the tracker's response.
      await people.query('update trackers.hook set hook_id = null, state = $2 where flow_id = $1', [flowId, 'pending']);
      expect((await call('POST', `/flows/${flowId}/tracker-registration`)).body.registration.state).toBe('active');
      expect(onlyHook(kind, flowId).id).toBe(id);
      await people.query('update trackers.hook set hook_id = null where flow_id = $1', [flowId]);
      await call('DELETE', `/flows/${flowId}`);
      await eventually(() => hooksOf(kind, flowId).length === 0);
    },
  );

  it.each(TRACKER_KINDS)(
    'is corrected at %s if somebody changed its address, and created again if it was removed (TRK-8)',
    async (kind) => {
      const { flowId } = await addFlow(kind);
      await waitForState(flowId, 'active');
      const hook = onlyHook(kind, flowId);
      // Simulates the state after PUBLIC_URL has changed.
      played(kind).hooks.set(hook.id, { ...hook, url: `https://former.acme.test/${flowId}` });
      await call('POST', `/flows/${flowId}/tracker-registration`);
      expect(onlyHook(kind, flowId)).toMatchObject({ id: hook.id, url: hook.url, secret: hook.secret });
      played(kind).hooks.delete(hook.id);
      const { body } = await call('POST', `/flows/${flowId}/tracker-registration`);
      expect([body.registration.state, onlyHook(kind, flowId).url]).toEqual(['active', hook.url]);
    },
  );

  it('with a token that can no longer be decrypted is marked, and is not retried forever (TRK-8)', async () => {
    const { flowId, trackerId } = await addFlow('github');
    await waitForState(flowId, 'active');
    await people.query('update trackers.tracker set token_sealed = $2 where id = $1', [trackerId, Buffer.from('x')]);
    const { body } = await call('POST', `/flows/${flowId}/tracker-registration`);
    expect(body.registration).toMatchObject({ state: 'failed', reason: expect.stringContaining('send it again') });
    expect((await call('POST', `/trackers/${trackerId}/test`)).body.error.code).toBe('unauthorized');
  });
});

describe('the tracker of a flow', () => {
  it('can be changed: the old hook is removed, and the new one registered (TRK-9)', async () => {
    const { flowId, trackerId } = await addFlow('github');
    await waitForState(flowId, 'active');
    const moved = { tracker_config: { tracker_id: trackerId, repository: 'acme/other' } };
    expect((await call('PATCH', `/flows/${flowId}`, moved)).body.tracker_config.repository).toBe('acme/other');
    await waitForState(flowId, 'active');
    await eventually(() => hooksOf('github', flowId).length === 1);
    const removed = played('github').requests.filter(({ method }) => method === 'DELETE');
    expect(removed.at(-1)?.path).toMatch(/^\/api\/v3\/repos\/acme\/shop\/hooks\//);
  });

  it('can be sent back as it was read (TRK-7)', async () => {
    const { flowId, flow } = await addFlow('github');
    const read = { trigger: flow.trigger, tracker_config: flow.tracker_config };
    const { status, body } = await call('PATCH', `/flows/${flowId}`, read);
    expect([status, body.tracker_config.repository]).toEqual([200, 'acme/shop']);
    await waitForState(flowId, 'active');
  });

  it('gets the new address when the secret in the URL is replaced (TRK-8)', async () => {
    const { flowId } = await addFlow('github');
    await waitForState(flowId, 'active');
    const { body } = await call('POST', `/flows/${flowId}/webhook-secret/rotate`, {});
    await eventually(() => onlyHook('github', flowId).url.endsWith(String(body.webhook_secret)));
    expect(onlyHook('github', flowId).url).toContain(flowId);
  });

  it('can be deleted only after its flows (TRK-6)', async () => {
    const { flowId, trackerId } = await addFlow('gitlab');
    const refused = await call('DELETE', `/trackers/${trackerId}`);
    expect([refused.status, refused.body.detail.used_by]).toEqual([409, [flowId]]);
    await call('PATCH', `/flows/${flowId}`, { trigger: 'manual' });
    await eventually(() => hooksOf('gitlab', flowId).length === 0);
    expect((await call('GET', `/flows/${flowId}`)).body.tracker_config).toBeNull();
    expect((await call('DELETE', `/trackers/${trackerId}`)).status).toBe(204);
  });

  it('can be set later: a flow without one has a webhook without a secret, and can only be started manually (FLOW-4)', async () => {
    const fields = {
      name: 'unconnected',
      prompt_template: 'x',
      agent_type: 'command',
      agent_config: { command: 'true' },
    };
    const webhook_config = { supersede_on_update: true };
    const { status, body } = await call('POST', '/flows', { ...fields, trigger: 'tracker', webhook_config });
    expect([status, body.tracker_config, body.webhook_config]).toEqual([201, null, webhook_config]);
    const switched = await call('PATCH', `/flows/${body.id}`, { trigger: 'webhook' });
    expect(switched.body.webhook_config).toMatchObject({
      ...webhook_config,
      webhook_secret: expect.stringMatching(/^flw_/),
    });
    const back = await call('PATCH', `/flows/${body.id}`, { trigger: 'tracker' });
    const { webhook_secret: secret } = switched.body.webhook_config;
    expect(back.status).toBe(200);
    const started = await call('POST', `/webhooks/flows/${body.id}/${secret}`, {});
    expect(started.status).toBe(404);
  });

  it('that is removed from a flow leaves the trigger, but removes the hook, its source and its secret', async () => {
    const { flowId, trackerId } = await addFlow('github');
    const left = await call('PATCH', `/flows/${flowId}`, { tracker_config: null });
    expect([left.status, left.body.trigger, left.body.tracker_config]).toEqual([200, 'tracker', null]);
    expect(left.body.webhook_config.source).toBeUndefined();
    await eventually(() => hooksOf('github', flowId).length === 0);
    expect((await call('DELETE', `/trackers/${trackerId}`)).status).toBe(204);
  });
});
