import { randomUUID } from 'node:crypto';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-gateway.ts';

let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  gateway = await startTestGateway({ MODEL_GATEWAY_CAPTURE_CONTENT: 'false' });
  account = await gateway.registerAccount();
});
afterAll(() => gateway.close());

describe('a deployment that does not capture content (SESS-13)', () => {
  it('returns and finds an interaction only by its model, never by a word of the prompt or the response', async () => {
    const call = (method: string, path: string, body?: unknown) =>
      gateway.call(method, `/api/v1/runtime-sessions${path}`, {
        token: account.accessToken,
        ...(body === undefined ? {} : { body }),
      });
    const opened = await call('POST', '', { session_source_type: 'ci', session_source_id: randomUUID() });
    const { id } = opened.body as { id: string };
    const stored = await call('POST', `/${id}/interactions`, {
      model_alias: 'quasimodel',
      provider_name: 'acme',
      request: { prompt: 'xylograph' },
      response: 'yttrium',
    });
    expect([stored.status, stored.body.content_captured]).toEqual([201, false]);
    expect((await call('GET', `/${id}/timeline`)).body.items).toMatchObject([
      { content: null, model_alias: 'quasimodel' },
    ]);
    expect((await call('GET', '')).body.items[0].title).not.toContain('xylograph');
    for (const word of ['xylograph', 'yttrium']) {
      expect((await call('POST', '/search', { query: word })).body.results).toEqual([]);
    }
    expect((await call('POST', '/search', { query: 'quasimodel' })).body.results).toMatchObject([
      { runtime_session_id: id },
    ]);
  });
});
