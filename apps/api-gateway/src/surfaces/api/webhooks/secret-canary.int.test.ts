import { captureOutput } from '@steward/testing';
import { startTestGateway, type TestGateway } from '../../../testing/start-gateway.ts';

const BASE = '/api/v1/event-webhooks';
let gateway: TestGateway;
const output = captureOutput();

beforeAll(async () => {
  gateway = await startTestGateway({ LOG_LEVEL: 'debug' });
});
afterAll(() => gateway.close());

describe('the log of the gateway', () => {
  it('never contains a webhook secret or the path of an endpoint’s URL, for successful and for refused requests (API-15)', async () => {
    const owner = await gateway.registerAccount();
    const call = (method: string, path: string, body?: object) =>
      gateway.call(method, `${BASE}${path}`, { token: owner.accessToken, ...(body === undefined ? {} : { body }) });
    const url = 'http://127.0.0.1:9/canary-path?token=canary-query';
    const created = await call('POST', '/endpoints', { url });
    const path = `/endpoints/${created.body.id}`;
    const rotated = await call('POST', `${path}/secret/rotate`, { overlap_seconds: 60 });
    const refused = [
      await call('POST', '/endpoints', { url: 'http://canary-user:canary-password@example.com/' }),
      await call('POST', '/endpoints', { url: 'ftp://canary.example.com/' }),
      await call('PATCH', path, { url: `${url}#canary-fragment` }),
      await call('PATCH', path, { canary_key: 'canary-value' }),
      await call('POST', `${path}/secret/rotate`, { secret: 'whsec_canary' }),
      await gateway.call('POST', `${BASE}/endpoints`, {
        token: owner.accessToken,
        body: '{"url": "canary',
        headers: { 'content-type': 'application/json' },
      }),
    ];
    await call('PATCH', path, { url: `${url}-2`, description: 'canary-description' });
    await call('POST', `${path}/test`);
    await call('GET', path);
    await call('DELETE', path);
    expect([created.status, rotated.status]).toEqual([201, 200]);
    expect(refused.map((response) => response.status)).toEqual([422, 422, 422, 422, 422, 400]);
    expect(output()).toContain('http.request_served');
    for (const secret of [created.body.secret, rotated.body.secret] as string[]) {
      expect(output().includes(secret.slice('whsec_'.length))).toBe(false);
    }
    expect(/canary|whsec_/.exec(output())?.[0]).toBeUndefined();
  });
});
