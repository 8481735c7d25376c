import { eventually, startHttpReceiver, type HttpReceiver, type Respond } from '@steward/testing';
import { usePeople } from '../../../testing/people-tests.ts';

const KEY = ['sk', 'model', 'aB3dE5fG7hI9jK1l'].join('-');
/** Provider; it is started before the gateway, whose settings need its address. */
let provider: HttpReceiver;
const environment: Record<string, string> = {};
beforeAll(async () => {
  provider = await startHttpReceiver();
  environment['MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS'] = provider.url;
});
afterAll(() => provider.close());
const people = usePeople(environment);

async function addModel(more: object = {}) {
  const { accessToken: token } = await people.register();
  const fields = { alias: 'fast', provider: 'openai', model_identifier: 'm', base_url: provider.url, api_key: KEY };
  const { body } = await people.call('POST', '/ai-models', token, { ...fields, ...more });
  return { token, id: body.id as string };
}
const test = async ({ token, id }: { token: string; id: string }) =>
  (await people.call('POST', `/ai-models/${id}/test`, token)).body;
const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (_request, response) =>
    void response.writeHead(status, headers).end(JSON.stringify(body));

describe('the test of a model (MOD-14)', () => {
  it.each([
    ['openai', 'm', '/v1/chat/completions', { authorization: `Bearer ${KEY}` }, { max_completion_tokens: 16 }],
    ['generic_compatible', 'm', '/v1/chat/completions', { authorization: `Bearer ${KEY}` }, { max_tokens: 16 }],
    ['openai', 'text-embedding-3-small', '/v1/embeddings', { authorization: `Bearer ${KEY}` }, { input: 'Say ok.' }],
    ['anthropic', 'm', '/v1/messages', { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' }, { max_tokens: 16 }],
  ])(
    'makes one call to the provider’s API for a few tokens, whether the model is enabled or disabled: %s and %s',
    async (name, identifier, path, headers, body) => {
      provider.respondWith(answering(200, {}));
      const before = provider.requests.length;
      const model = await addModel({ provider: name, model_identifier: identifier, enabled: false });
      expect(await test(model)).toEqual({ ok: true, latency_ms: expect.any(Number) as unknown, error: null });
      const [request, ...more] = provider.requests.slice(before);
      expect(more).toEqual([]);
      expect([request?.method, request?.path, request?.headers]).toMatchObject(['POST', path, headers]);
      expect(JSON.parse(String(request?.body))).toMatchObject({ model: identifier, ...body });
    },
  );

  it.each([
    [
      'an error by its code',
      answering(401, { error: { code: 'invalid_api_key', message: `no: ${KEY}` } }),
      'HTTP 401 (invalid_api_key)',
    ],
    [
      'an error of Anthropic',
      answering(404, { type: 'error', error: { type: 'not_found_error' } }),
      'HTTP 404 (not_found_error)',
    ],
    ['no key that is returned as a code', answering(400, { error: { code: KEY } }), 'HTTP 400'],
    ['a page', (_request, response) => void response.writeHead(502).end('<html>'), 'HTTP 502'],
    [
      'a redirect, which is not followed',
      answering(307, {}, { location: 'http://127.0.0.1:9/' }),
      'HTTP 307: redirects are not followed',
    ],
    [
      'a broken connection',
      (_request, response) => void response.destroy(),
      'the connection was closed before a response arrived',
    ],
  ] as [string, Respond, string][])('reports %s', async (_what, respond, error) => {
    provider.respondWith(respond);
    const before = provider.requests.length;
    expect(await test(await addModel())).toMatchObject({ ok: false, error });
    expect(provider.requests).toHaveLength(before + 1);
  });

  it('waits for five slow providers of an account at once; the sixth is refused without a call (LIM-71)', async () => {
    const waiting: (() => void)[] = [];
    provider.respondWith((_request, response) => void waiting.push(() => response.writeHead(200).end('{}')));
    const model = await addModel();
    const before = provider.requests.length;
    const ask = () => people.call('POST', `/ai-models/${model.id}/test`, model.token);
    const asked = Array.from({ length: 5 }, ask);
    await eventually(() => Promise.resolve(waiting.length === 5));
    const refused = await ask();
    expect([refused.status, refused.body.detail]).toMatchObject([429, { code: 'rate_limited', limit: 5 }]);
    expect(provider.requests).toHaveLength(before + 5);
    for (const answer of waiting) answer();
    expect((await Promise.all(asked)).map(({ body }) => body.ok)).toEqual(Array(5).fill(true));
    provider.respondWith(answering(200, {}));
    expect(await test(model)).toMatchObject({ ok: true });
  });

  it.each([
    ['http://127.0.0.1:9/v1', 'the address is not https'],
    ['https://127.0.0.1:9/v1', 'the target address is loopback'],
    ['https://10.0.0.7/v1', 'the target address is private'],
  ])('sends no call to %s, even if the address was allowed when it was saved (MOD-5)', async (baseUrl, error) => {
    const model = await addModel();
    await people.query('update models.ai_model set base_url = $1 where id = $2', [baseUrl, model.id]);
    expect(await test(model)).toMatchObject({ ok: false, error });
  });
});
