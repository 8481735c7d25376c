import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';

const BASE = '/api/v1/event-webhooks';
const UNKNOWN_ID = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';
const tests = useEventWebhooks();
const { call, addEndpoint } = tests;

describe('permissions for webhooks', () => {
  it('result in the same 404 for ids that are unknown, malformed or of another account (API-10)', async () => {
    const endpoint = await addEndpoint();
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    const stranger = await tests.gateway.registerAccount();
    const paths = (endpointId: string, deliveryId: string, eventId: string) =>
      [
        ['GET', `/endpoints/${endpointId}`],
        ['PATCH', `/endpoints/${endpointId}`, { active: false }],
        ['DELETE', `/endpoints/${endpointId}`],
        ['POST', `/endpoints/${endpointId}/secret/rotate`],
        ['POST', `/endpoints/${endpointId}/test`],
        ['GET', `/deliveries/${deliveryId}`],
        ['POST', `/deliveries/${eventId}/replay`],
      ] as const;
    const foreign = paths(endpoint.id, sent.body.delivery_ids[0], sent.body.event_id);
    const unknown = [...paths(UNKNOWN_ID, UNKNOWN_ID, UNKNOWN_ID), ...paths('x', 'x', 'x')];
    for (const [method, path, body] of [...foreign, ...unknown]) {
      const response = await call(method, path, body, { token: stranger.accessToken });
      expect([method, path, response.status, response.body.detail]).toEqual([
        method,
        path,
        404,
        { code: 'not_found', message: 'There is no such resource.' },
      ]);
    }
    expect((await call('GET', `/endpoints/${endpoint.id}`)).body.active).toBe(true);
  });

  it('require a credential, view_policies to read and manage_policies to write', async () => {
    const endpoint = await addEndpoint();
    expect((await tests.gateway.call('GET', `${BASE}/catalogue`)).status).toBe(401);
    const loginAs = async (role: string) => {
      const username = `${role.replaceAll('_', '-')}-${Date.now()}`;
      const password = 'correct horse battery staple';
      const body = { username, email: `${username}@example.test`, password, role };
      expect((await tests.gateway.call('POST', '/api/v1/users', { token: tests.owner.accessToken, body })).status).toBe(
        201,
      );
      const login = await tests.gateway.call('POST', '/api/v1/auth/token/json', { body: { username, password } });
      return login.body.access_token as string;
    };
    const viewer = await loginAs('viewer');
    const tracker = await loginAs('tracker_manager');
    expect((await call('GET', '/endpoints', undefined, { token: viewer })).status).toBe(200);
    expect((await call('GET', '/deliveries', undefined, { token: viewer })).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', '/endpoints', { url: 'http://127.0.0.1:9/' }],
      ['PATCH', `/endpoints/${endpoint.id}`, {}],
      ['DELETE', `/endpoints/${endpoint.id}`, undefined],
      ['POST', `/endpoints/${endpoint.id}/secret/rotate`, {}],
      ['POST', `/endpoints/${endpoint.id}/test`, {}],
      ['POST', `/deliveries/${UNKNOWN_ID}/replay`, {}],
      ['POST', '/deliveries/recover', { since: '2026-11-20T09:00:00Z', status: 'dead' }],
    ] as const) {
      const refused = await call(method, path, body, { token: viewer });
      expect([refused.status, refused.body.detail.permission]).toEqual([403, 'manage_policies']);
    }
    const blind = await call('GET', '/endpoints', undefined, { token: tracker });
    expect([blind.status, blind.body.detail.permission]).toEqual([403, 'view_policies']);
  });

  it('create an audit row for every change, without the secret and the URL', async () => {
    const endpoint = await addEndpoint({ url: 'http://127.0.0.1:9/canary-path' });
    await call('PATCH', `/endpoints/${endpoint.id}`, { url: 'http://127.0.0.1:9/canary-other' });
    await call('POST', `/endpoints/${endpoint.id}/secret/rotate`);
    const sent = await call('POST', `/endpoints/${endpoint.id}/test`);
    await call('POST', `/deliveries/${sent.body.event_id}/replay`);
    await call('DELETE', `/endpoints/${endpoint.id}`);
    const log = await tests.gateway.call('GET', '/api/v1/audit-log', { token: tests.owner.accessToken });
    const rows = (log.body.items as { action: string; resource_type: string }[]).filter((row) =>
      row.resource_type.startsWith('event_webhook'),
    );
    expect(rows.map((row) => row.action).reverse()).toEqual([
      'create',
      'update',
      'rotate_secret',
      'test_send',
      'replay',
      'delete',
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/whsec_|canary/);
  });
});
