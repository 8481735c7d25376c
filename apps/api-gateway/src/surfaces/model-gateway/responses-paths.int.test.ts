import { zstdCompressSync } from 'node:zlib';
import { eventually, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { usePeople } from '../../testing/people-tests.ts';

const environment: Record<string, string> = { ACCOUNT_RATE_PER_MINUTE: '1000000' };
const ANSWERS: Readonly<Record<string, object>> = {
  '/v1/responses/compact': {
    object: 'response.compaction',
    output: [{ type: 'compaction', encrypted_content: 'gAAA' }],
    usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
  },
  '/v1/responses/input_tokens': { object: 'response.input_tokens', input_tokens: 11 },
};
let provider: HttpReceiver;
beforeAll(async () => {
  provider = await startHttpReceiver(({ path }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWERS[path] ?? {}));
  });
  environment['MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS'] = provider.url;
});
afterAll(() => provider.close());
const people = usePeople(environment);

describe('a Codex request to a path other than /responses (GW-1)', () => {
  it.each([
    ['compact', { input_tokens: 1000, output_tokens: 100, cost_usd: 0.0012 }],
    ['input_tokens', { input_tokens: null, output_tokens: null, cost_usd: 0 }],
  ])('/responses/%s is forwarded, compressed with zstd or uncompressed, and recorded', async (path, row) => {
    const { accessToken: token } = await people.register();
    const prices = { input_per_mtok_usd: 1, output_per_mtok_usd: 2 };
    const model = { alias: 'a', provider: 'openai', base_url: `${provider.url}/v1`, model_identifier: 'gpt', prices };
    expect((await people.call('POST', '/ai-models', token, model)).status).toBe(201);
    const body = Buffer.from(JSON.stringify({ model: 'a', input: [{ role: 'user', content: 'x' }] }));
    for (const packing of [undefined, 'zstd']) {
      const response = await fetch(`${people.gateway().url}/openai/v1/responses/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(packing === undefined ? {} : { 'content-encoding': packing }),
        },
        body: packing === undefined ? body : zstdCompressSync(body),
      });
      expect([response.status, await response.json()]).toEqual([200, ANSWERS[`/v1/responses/${path}`]]);
      expect(JSON.parse(provider.requests.at(-1)?.body.toString() ?? '')).toMatchObject({ model: 'gpt' });
    }
    const readRows = async () => ((await people.call('GET', '/usage', token)).body as { items: object[] }).items;
    await eventually(async () => (await readRows()).length === 2);
    expect(await readRows()).toMatchObject([
      { endpoint: `responses/${path}`, ...row },
      { endpoint: `responses/${path}`, ...row },
    ]);
  });
});
